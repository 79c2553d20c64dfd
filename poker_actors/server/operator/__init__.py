"""The operator's port: counts, accounts, and what else only the operator may see; needs the extra [server]."""

from poker_actors.server.operator.accounts import Accounts, games_noted
from poker_actors.server.operator.app import OperatorServer
from poker_actors.server.operator.repair import Repaired, repair
from poker_actors.server.operator.secret import SECRET_VARIABLE, operator_secret

__all__ = [
    "SECRET_VARIABLE",
    "Accounts",
    "OperatorServer",
    "Repaired",
    "games_noted",
    "operator_secret",
    "repair",
]
