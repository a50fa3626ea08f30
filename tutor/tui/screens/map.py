"""The map of the course: its topics, and what the notes say of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rich.style import Style
from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from tutor.errors import TutorError
from tutor.i18n import _, plural
from tutor.map.model import Place
from tutor.presentation.topics import Line, MapTopic, TopicSummary
from tutor.text.terminal import one_line
from tutor.tui.base import ItemList, SearchField, SearchScreen, failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.threads import in_background
from tutor.tui.workspace.mapping import Mapping


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
        return self.cursor_node.data if self.cursor_node else None

    def show(self, topics: Sequence[MapTopic], wanted: MapTopic | None) -> None:
        """Show these, pointing at the concept or the topic `wanted`, else at the first one."""
        self.clear()
        self.cursor_line = -1
        nodes = list(_grown(self.root, topics))
        known = {node.data.identity: node for node in reversed(nodes) if node.data}
        chosen = known.get(wanted and wanted.identity) or next(iter(self.root.children), None)
        above = chosen.parent if chosen else None
        while above and above is not self.root:
            above.expand()
            above = above.parent
        self.call_after_refresh(self.move_cursor, chosen)

    def render_label(self, node: TreeNode[MapTopic], base_style: Style, style: Style) -> Text:
        """What is too long for the pane ends with a sign; its card has all of it."""
        label, depth = super().render_label(node, base_style, style), -1
        while node := node.parent:  # pyrefly: ignore[bad-argument-type]
            depth += 1
        room = self.scrollable_content_region.width - depth * self.guide_depth
        label.truncate(max(1, room), overflow="ellipsis")
        return label

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Only what has parts can be opened."""
        node = self.cursor_node
        return action != "toggle_node" or bool(node and node.allow_expand)

    def action_inward(self) -> None:
        node = self.cursor_node
        if node and node.allow_expand and not node.is_expanded:
            node.expand()
        elif node:
            self.screen.query_one(TopicCard).focus()

    def action_outward(self) -> None:
        node = self.cursor_node
        if node and node.is_expanded:
            node.collapse()
        else:
            self.action_cursor_parent()


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

    def show(self, card: TopicSummary) -> None:
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


class MapScreen(SearchScreen):
    """Topics by community or by week, and a card. Left with what is to be sent, or None."""

    BINDINGS = keys_of("map")
    DOES = N_("Map")
    _tree = getters.query_one(TopicTree)
    _card = getters.query_one(TopicCard)

    _by_week = False
    _concepts: int | None = None
    """How many concepts the map has; None until it is open."""
    _topic: MapTopic | None = None
    """What is pointed at."""

    def __init__(self) -> None:
        super().__init__()
        self._mapping = Mapping()

    def body(self) -> ComposeResult:
        placeholder = _("Type to find a concept")
        yield SearchField(placeholder=placeholder, compact=True, select_on_focus=False)
        with Horizontal(id="map"):
            yield TopicTree()
            yield TopicCard()

    def on_mount(self) -> None:
        def building() -> None:
            told = _("Making the map; this takes a while. Esc does not wait for it.")
            self.call_later(self.say, told)

        def opened(concepts: int) -> None:
            self._concepts = concepts
            self._by_week = not concepts
            self.look_up()

        def failed(error: TutorError) -> None:
            self.say("")
            self._card.say(failure_text(error))

        self._tree.focus()
        self.say(_("Opening the map ..."))
        work = partial(self._mapping.open, self.workspace, building)
        in_background(self, work, opened, failed=failed)

    def on_unmount(self) -> None:
        self._mapping.close()

    def can(self, action: str) -> bool:
        """What is done with a topic needs one."""
        if action in {"ask", "practise"}:
            return self._topic is not None
        if action == "page":
            return self._topic is not None and self._topic.place is not None
        if action == "concept":
            return bool(self._card.current and self._card.current.concept)
        return action != "order" or self._concepts is not None

    # --- what is on the screen ---

    def look_up(self) -> None:
        if self._concepts is not None:
            words = self._search.value
            work = partial(self._mapping.topics, words, by_week=self._by_week)
            in_background(self, work, self._show, latest="topics")

    def _show(self, topics: list[MapTopic]) -> None:
        wanted = None
        if self._search.value.strip():
            self.say(plural("%(n)d found", "%(n)d found", len(topics)))
        else:
            wanted = self._topic
            order = _("by topic; %(key)s: in the order of the course")
            if self._by_week:
                order = _("in the order of the course; %(key)s: by topic")
            concepts = plural("%(n)d concept", "%(n)d concepts", self._concepts or 0)
            self.say(concepts, order % {"key": self.app.key_of("map.order")})
        self._topic = None
        self._tree.show(topics, wanted)
        if not topics:
            self._card.say(_("No concept is called so."))
        self.refresh_bindings()

    def on_tree_node_highlighted(self) -> None:
        def show(card: TopicSummary) -> None:
            if card.topic is self._topic:  # else something else is pointed at by now
                self._card.show(card)

        self._topic = self._tree.current
        self.refresh_bindings()
        if self._topic:
            in_background(self, partial(self._mapping.card, self._topic), show, latest="card")

    # --- what its reader does ---

    def on_input_submitted(self) -> None:
        self.action_page()

    def action_concept(self) -> None:
        """Look for the concept of the line, which shows its card."""
        if self._card.current and self._card.current.concept:
            self._search.value = self._card.current.concept.name

    def action_to_found(self) -> None:
        self._tree.focus()

    def action_order(self) -> None:
        """Topics by community, or by week; what was looked for is forgotten."""
        self._by_week = not self._by_week
        self._search.value = ""
        self.look_up()

    def action_page(self) -> None:
        """Open the page of what is pointed at; what has none is opened, or closed."""
        if self._topic and self._topic.place:
            self._open_page(self._topic.place)
        elif node := self._tree.cursor_node:
            node.toggle()

    def on_option_list_option_selected(self) -> None:
        if entry := self._card.current:
            self._open_page(entry.place)

    def _open_page(self, place: Place) -> None:
        others = [line.place for line in self._card.items if line]
        places = list(dict.fromkeys([place, *others]))
        self.open_cited(partial(self._mapping.citations, places))

    def action_ask(self) -> None:
        if self._topic:
            self.dismiss(self._topic.question)

    def action_practise(self) -> None:
        if self._topic:
            self.dismiss(self._topic.practice)

    def action_back(self) -> None:
        """One step: out of what was looked for, out."""
        if self._search.value:
            self._search.value = ""
            self._tree.focus()
        else:
            self.dismiss()
