"""Draw a picture of a tournament (extra `plot`)."""

from poker_actors.sim.tournaments.pictures.charts import check_picture, save_picture

__all__ = ["check_picture", "save_picture"]
