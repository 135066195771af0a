"""The reductions of each document, kept on disk so that no text is ever lost."""

from pollard_server.records.accepted_texts import RecordedStep
from pollard_server.records.facts import Status
from pollard_server.records.record import Record
from pollard_server.records.records import Offers, Records
from pollard_server.records.shelf import RecordError

__all__ = ["Offers", "Record", "RecordError", "RecordedStep", "Records", "Status"]
