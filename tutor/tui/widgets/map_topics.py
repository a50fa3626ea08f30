"""The map of a course: its topics as a tree, and the card of the one that is pointed at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style
from rich.text import Text
from textual.content import Content
from textual.widgets import Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from tutor.map.model import Place
from tutor.text.terminal import one_line
from tutor.tui.base import ItemList, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.workspace.topics import Line, MapTopic, TopicSummary


class TopicTree(Tree[MapTopic]):
    """Topics within topics; the one that is pointed at is the `current` one."""

    BINDINGS = keys_of("topics")
    AREA = N_("In the topics")

    def __init__(self) -> None:
        super().__init__("")
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False

    @property
    def current(self) -> MapTopic | None:
        """The topic that is pointed at."""
        return self.cursor_node.data if self.cursor_node else None

    def show(self, topics: Sequence[MapTopic], wanted: MapTopic | None) -> None:
        """Show these, pointing at the concept or the topic `wanted`, else at the first one."""
        self.clear()
        self.cursor_line = -1
        nodes = list(_grown(self.root, topics))
        found = [node for node in nodes if wanted and _same(node.data, wanted)]
        chosen = found[0] if found else next(iter(self.root.children), None)
        above = chosen.parent if chosen else None
        while above and above is not self.root:
            above.expand()
            above = above.parent
        self.call_after_refresh(self.move_cursor, chosen)

    def render_label(self, node: TreeNode[MapTopic], base_style: Style, style: Style) -> Text:
        """What is too long for the pane ends with a sign; its card has all of it."""
        label, depth = super().render_label(node, base_style, style), -1
        while node := node.parent:  # type: ignore[assignment]
            depth += 1
        room = self.scrollable_content_region.width - depth * self.guide_depth
        label.truncate(max(1, room), overflow="ellipsis")
        return label

    def action_inward(self) -> None:
        """Open what is closed; else go to the card."""
        node = self.cursor_node
        if node and node.allow_expand and not node.is_expanded:
            node.expand()
        elif node:
            self.screen.query_one(TopicCard).focus()

    def action_outward(self) -> None:
        """Close what is open; else go upwards."""
        node = self.cursor_node
        if node and node.is_expanded:
            node.collapse()
        else:
            self.action_cursor_parent()


def _same(one: MapTopic | None, other: MapTopic) -> bool:
    if one is None or other.concept:
        return one is not None and other.concept == one.concept
    return (one.title, one.place) == (other.title, other.place)


def _grown(parent: TreeNode[MapTopic], topics: Sequence[MapTopic]) -> Iterator[TreeNode[MapTopic]]:
    for topic in topics:
        label = one_line(topic.title)
        if (covered := topic.coverage).known:
            label += f" · {covered.known}/{covered.cards}"
        is_week = not (topic.place or topic.concepts)
        node = parent.add(Text(label), topic, expand=is_week, allow_expand=bool(topic.parts))
        yield node
        yield from _grown(node, topic.parts)


class TopicCard(ItemList[Line | None]):
    """What the map says of a topic, a line for each place of the notes."""

    BINDINGS = keys_of("topic_card")
    AREA = N_("In the card")

    def on_focus(self) -> None:
        """Point at the first line that has a page."""
        if self.highlighted is None:
            self.action_first()

    @property
    def places(self) -> list[Place]:
        """Where the lines stand, in their order."""
        return [line.place for line in self.items if line]

    def say(self, text: str) -> None:
        """Show a text in place of a card."""
        self.items = [None]
        self.set_options([Option(safe(text), disabled=True)])

    def show(self, card: TopicSummary) -> None:
        """Show a card from its beginning."""
        rows: list[tuple[Content, Line | None]] = [(_head(card), None)]
        for line in card.lines:
            if line.heading:
                rows.append((safe(f"\n{line.heading}", "bold $text-primary"), None))
            rows.append((_content(line), line))
        self.items = [line for _row, line in rows]
        self.set_options([Option(row, disabled=line is None) for row, line in rows])
        self.scroll_home(animate=False)
        if self.has_focus:
            self.action_first()


def _head(card: TopicSummary) -> Content:
    title = safe(one_line(card.topic.title), "bold")
    return Content("\n").join([title, *(safe(one_line(fact)) for fact in card.facts)])


def _content(line: Line) -> Content:
    parts = [safe(one_line(line.title))] if line.title else []
    parts += [safe(f"«{one_line(line.quote)}»")] if line.quote else []
    return Content("\n").join([*parts, safe(f"  {one_line(line.where)}", "$text-muted")])
