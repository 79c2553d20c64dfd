"""Pictures and the report page of a result (extra `plot`)."""

from poker_actors.sim.pictures.canvas import check_pictures
from poker_actors.sim.pictures.overview import check_picture_path, save_crosstable, save_overview
from poker_actors.sim.pictures.report import save_history_report, save_report

__all__ = [
    "check_picture_path",
    "check_pictures",
    "save_crosstable",
    "save_history_report",
    "save_overview",
    "save_report",
]
