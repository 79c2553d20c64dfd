"""The operator's port: counts, accounts, and other data for the operator only; needs the extra `server`."""

from poker_actors.server.operator.accounts import Accounts, Repaired, games_noted, repair
from poker_actors.server.operator.app import SECRET_VARIABLE, OperatorServer, operator_secret

__all__ = [
    "SECRET_VARIABLE",
    "Accounts",
    "OperatorServer",
    "Repaired",
    "games_noted",
    "operator_secret",
    "repair",
]
