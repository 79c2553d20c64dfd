"""What must survive: the ledger of chips."""

from poker_actors.store.ledger import (
    MINT,
    Booking,
    Ledger,
    bank_account,
    credit_account,
    escrow_account,
    stack_account,
)

__all__ = [
    "MINT",
    "Booking",
    "Ledger",
    "bank_account",
    "credit_account",
    "escrow_account",
    "stack_account",
]
