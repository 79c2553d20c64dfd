"""Three runtimes for one set of actor classes, and the one place that depends on pykka's internals."""

from poker_actors.actors.runtime.actor import Actor, Address, Handlers, Runtime, on
from poker_actors.actors.runtime.loop import LoopRuntime
from poker_actors.actors.runtime.queued import Many, Pending
from poker_actors.actors.runtime.reply import ASK_SECONDS, Reply, Timer, Word, stop_message
from poker_actors.actors.runtime.stepper import Delivery, StepRuntime
from poker_actors.actors.runtime.supervisor import ActorBack, ActorDown, Restart, Supervisor, quiet_logs
from poker_actors.actors.runtime.threads import ThreadAddress, ThreadRuntime

__all__ = [
    "ASK_SECONDS",
    "Actor",
    "ActorBack",
    "ActorDown",
    "Address",
    "Delivery",
    "Handlers",
    "LoopRuntime",
    "Many",
    "Pending",
    "Reply",
    "Restart",
    "Runtime",
    "StepRuntime",
    "Supervisor",
    "ThreadAddress",
    "ThreadRuntime",
    "Timer",
    "Word",
    "on",
    "quiet_logs",
    "stop_message",
]
