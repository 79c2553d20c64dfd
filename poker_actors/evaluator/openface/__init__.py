"""Open-face (pineapple) boards: rows, fouls, royalties, fantasy land, points."""

from poker_actors.evaluator.openface.board import OpenFaceBoard, Row, points
from poker_actors.evaluator.openface.royalties import bottom_royalty, middle_royalty, top_royalty

__all__ = ["OpenFaceBoard", "Row", "bottom_royalty", "middle_royalty", "points", "top_royalty"]
