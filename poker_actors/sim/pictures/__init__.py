"""Pictures and the report page of a result (extra `plot`), and its tables for a paper."""

from poker_actors.sim.pictures.drawings import (
    check_picture_path,
    check_pictures,
    save_crosstable,
    save_overview,
    save_tournament,
)
from poker_actors.sim.pictures.papers import PaperTables, check_tables_path, ranking_tables, result_tables
from poker_actors.sim.pictures.report import save_history_report, save_report

__all__ = [
    "PaperTables",
    "check_picture_path",
    "check_pictures",
    "check_tables_path",
    "ranking_tables",
    "result_tables",
    "save_crosstable",
    "save_history_report",
    "save_overview",
    "save_report",
    "save_tournament",
]
