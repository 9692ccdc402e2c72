//! Tablić as numbers. An action is a place in the list of legal moves, since there are too many sets of cards to
//! number them; each legal move has a row of columns that tells what it is.

use rules::request_text::LISTED;
use rules::tablic::capture::points;
use rules::tablic::{Event, Move, Options, Tablic, View};
use rules::{CardSet, Seat};

use crate::columns::{ColumnName, ColumnVisitor, Learnable, RelativeSeats};

impl Learnable for Tablic {
    type Memory = ();

    fn memory(_: &Options) {}

    fn remember((): &mut (), _: &Event) {}

    fn observe(view: &View, (): &(), seat: Seat, columns: &mut impl ColumnVisitor) {
        let seats = RelativeSeats { own: seat, count: view.hands.count() };
        columns.number(ColumnName::new("seat"), seat.index() as u32);
        columns.cards(ColumnName::new("hand"), view.hand);
        columns.cards(ColumnName::new("table"), view.table);
        columns.cards(ColumnName::new("taken"), view.taken);
        columns.number(ColumnName::new("talon"), view.talon);
        let counts = [
            ("hands", &view.hands),
            ("cards", &view.cards),
            ("points", &view.points),
            ("tablas", &view.tablas),
        ];
        for (name, counts) in counts {
            for (distance, seat) in seats.by_distance() {
                columns.number(ColumnName::new(name).seat(distance), counts[seat]);
            }
        }
        columns.one_of_seats(ColumnName::new("last"), view.last, seats);
    }

    fn actions(_: &Options) -> Vec<String> {
        (0..LISTED).map(|place| format!("move {place}")).collect()
    }

    fn action(_: &Tablic, _: Seat, _: &Move, place: usize) -> usize {
        place
    }

    fn describe(game: &Tablic, mv: &Move, columns: &mut impl ColumnVisitor) {
        columns.cards(ColumnName::new("plays"), CardSet::single(mv.card));
        columns.cards(ColumnName::new("takes"), mv.captured);
        columns.number(ColumnName::new("gains points"), points(mv.gained()));
        columns.number(ColumnName::new("gains cards"), mv.gained().len() as u32);
        let is_tabla = !mv.captured.is_empty() && mv.captured == game.table();
        columns.flag(ColumnName::new("tabla"), is_tabla);
    }
}
