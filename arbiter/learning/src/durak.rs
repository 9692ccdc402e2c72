//! Durak as numbers, for all of its options.

use rules::durak::{Durak, Event, Move, Options, Phase, View, ViewStage};
use rules::{Card, CardSet, Seat};

use crate::columns::{ColumnName, ColumnVisitor, Learnable, RelativeSeats};

/// The names of what a seat can be asked for, in the order of their columns.
const ASKED: [&str; 3] = ["lead", "defend", "throw"];

/// The verbs of actions with a card, in the order of their numbers.
const VERBS: [&str; 4] = ["lead", "beat", "transfer", "throw"];

/// The number of cards in the largest pack, which all packs number their cards by.
const PACK: usize = 52;

impl Learnable for Durak {
    type Memory = ();

    fn memory(_: &Options) {}

    fn remember((): &mut (), _: &Event) {}

    fn observe(view: &View, (): &(), seat: Seat, columns: &mut impl ColumnVisitor) {
        let seats = RelativeSeats { own: seat, count: view.hands.count() };
        columns.number(ColumnName::new("seat"), seat.index() as u32);
        columns.cards(ColumnName::new("hand"), view.hand);
        columns.cards(ColumnName::new("trump"), view.trump.map_or(CardSet::EMPTY, CardSet::single));
        columns.number(ColumnName::new("talon"), view.talon);
        for (distance, seat) in seats.by_distance() {
            columns.number(ColumnName::new("hands").seat(distance), view.hands[seat]);
        }
        for (distance, seat) in seats.by_distance() {
            columns.cards(ColumnName::new("known").seat(distance), view.known[seat]);
        }
        for (distance, seat) in seats.by_distance() {
            // The order in which seats left, from 1.
            let place = view.gone.iter().position(|gone| *gone == seat);
            let place = place.map_or(0, |place| place as u32 + 1);
            columns.number(ColumnName::new("gone").seat(distance), place);
        }
        columns.cards(ColumnName::new("discards"), view.discards);
        let bout = view.bout();
        let roles = [
            ("first", bout.map(|bout| bout.first())),
            ("attacker", bout.map(|bout| bout.attacker())),
            ("defender", bout.map(|bout| bout.defender())),
            ("turn", bout.map(|bout| bout.turn())),
        ];
        for (name, role) in roles {
            columns.one_of_seats(ColumnName::new(name), role, seats);
        }
        let asked = bout.map(|bout| match bout.phase() {
            Phase::Lead => 0,
            Phase::Defend => 1,
            Phase::Throw(_) | Phase::Load(_) => 2,
        });
        columns.choice(ColumnName::new("asked"), asked, ASKED.len(), |it| ASKED[it].to_owned());
        columns.flag(ColumnName::new("asked nature"), view.now == ViewStage::Nature);
        columns.places(ColumnName::new("attack"), bout.map_or(&[], |bout| bout.table().attacks()));
        columns.places(ColumnName::new("beaten by"), bout.map_or(&[], |bout| bout.table().beats()));
        columns.number(ColumnName::new("left"), bout.map_or(0, |bout| bout.attacks_left() as u32));
        columns.flag(ColumnName::new("taking"), bout.is_some_and(|bout| bout.is_taken()));
        columns.large(
            ColumnName::new("decisions rest"),
            ColumnName::new("decisions 128s"),
            view.decisions,
        );
    }

    fn actions(_: &Options) -> Vec<String> {
        let cards = |verb| CardSet::PACK.iter().map(move |card| format!("{verb} {card}"));
        let without = ["take", "done"].map(str::to_owned);
        VERBS.into_iter().flat_map(cards).chain(without).collect()
    }

    fn action(_: &Durak, _: Seat, mv: &Move, _: usize) -> usize {
        let with = |verb: usize, card: Card| verb * PACK + usize::from(card.place());
        match *mv {
            Move::Lead(card) => with(0, card),
            Move::Beat(card) => with(1, card),
            Move::Transfer(card) => with(2, card),
            Move::Throw(card) => with(3, card),
            Move::Take => VERBS.len() * PACK,
            Move::Done => VERBS.len() * PACK + 1,
        }
    }
}
