//! Coup as numbers: for two seats by the rules of the contest, and for courts.

use rules::coup::{Action, Character, Coup, Event, Hand, Move, Obligation, Options, View};
use rules::{Game, PerSeat, Seat};

use crate::columns::{ColumnName, ColumnVisitor, Learnable, RelativeSeats};

/// The most cards that a seat can have lost.
const LOST: usize = 2;

/// The most things that a turn owes at a table of two. Every further seat may owe one more.
const OWED: usize = 5;

/// The names of actions of a turn, in the order of their columns.
const ACTIONS: [&str; 7] =
    ["income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange"];

/// The names of debts, in the order of their columns.
const DEBTS: [&str; 15] = [
    "deal", "act", "answer", "accept", "prove", "replace", "draw", "keep", "lose", "pay", "end",
    "block", "stand", "doubt", "effect",
];

impl Learnable for Coup {
    /// The number of times that each seat claimed each character.
    type Memory = PerSeat<[u32; Character::ALL.len()]>;

    fn memory(options: &Options) -> Self::Memory {
        PerSeat::new(options.seats(), |_| [0; Character::ALL.len()])
    }

    fn remember(claims: &mut Self::Memory, event: &Event) {
        let Event::Move { seat, mv } = event else { return };
        let claimed = match mv {
            Move::Act(action) => action.claim(),
            Move::Block(character) => Some(*character),
            _ => None,
        };
        if let Some(character) = claimed {
            claims[*seat][character as usize] += 1;
        }
    }

    fn observe(view: &View, claims: &Self::Memory, seat: Seat, columns: &mut impl ColumnVisitor) {
        let seats = RelativeSeats { own: seat, count: view.coins.count() };
        columns.number(ColumnName::new("seat"), seat.index() as u32);
        cards(columns, ColumnName::new("hand"), view.hand, Hand::MOST);
        for (name, counts) in [("hands", &view.hands), ("coins", &view.coins)] {
            for (distance, seat) in seats.by_distance() {
                columns.number(ColumnName::new(name).seat(distance), counts[seat]);
            }
        }
        for (distance, seat) in seats.by_distance() {
            cards(columns, ColumnName::new("lost").seat(distance), view.lost[seat], LOST);
        }
        let action = view.action.map(kind);
        columns
            .choice(ColumnName::new("action"), action, ACTIONS.len(), |it| ACTIONS[it].to_owned());
        let target = view.action.and_then(Action::target);
        columns.one_of_seats(ColumnName::new("action at"), target, seats);
        for slot in 0..owed(seats.count) {
            let debt = view.owed.len().checked_sub(slot + 1).map(|place| view.owed[place]);
            let name = |what| ColumnName::new(what).slot(slot);
            let (verb, card) = debt.map(parts).unzip();
            columns.choice(name("owed"), verb, DEBTS.len(), |it| DEBTS[it].to_owned());
            columns.one_of_seats(name("owed by"), debt.map(Obligation::seat), seats);
            one_character(columns, name("owed card"), card.flatten());
        }
        columns.large(
            ColumnName::new("decisions rest"),
            ColumnName::new("decisions 128s"),
            view.decisions,
        );
        for (distance, seat) in seats.by_distance() {
            for (character, count) in Character::ALL.iter().zip(claims[seat]) {
                columns.number(ColumnName::new(claim_of(*character)).seat(distance), count);
            }
        }
    }

    fn actions(options: &Options) -> Vec<String> {
        let targets = 1..options.seats();
        let at = |verb: &'static str| targets.clone().map(move |seat| format!("{verb} +{seat}"));
        let of =
            |verb: &'static str| Character::ALL.iter().map(move |card| format!("{verb} {card}"));
        let two = Character::ALL.iter().flat_map(|first| {
            Character::ALL.iter().map(move |second| format!("keep {first} {second}"))
        });
        let word = |word: &str| [word.to_owned()];
        word("income")
            .into_iter()
            .chain(word("foreign-aid"))
            .chain(at("coup"))
            .chain(word("tax"))
            .chain(at("assassinate"))
            .chain(at("steal"))
            .chain(["exchange", "pass", "challenge"].map(str::to_owned))
            .chain(of("block"))
            .chain(of("show"))
            .chain(of("lose"))
            .chain(of("keep"))
            .chain(two)
            .chain(word("end"))
            .collect()
    }

    fn action(game: &Coup, own: Seat, mv: &Move, _: usize) -> usize {
        let seats = RelativeSeats { own, count: game.seats() };
        let others = seats.count - 1;
        // The first number after the actions of a turn.
        let pass = 4 + 3 * others;
        let characters = Character::ALL.len();
        let at = |seat: Seat| seats.distance(seat).saturating_sub(1);
        match *mv {
            Move::Act(action) => match action {
                Action::Income => 0,
                Action::ForeignAid => 1,
                Action::Coup(seat) => 2 + at(seat),
                Action::Tax => 2 + others,
                Action::Assassinate(seat) => 3 + others + at(seat),
                Action::Steal(seat) => 3 + 2 * others + at(seat),
                Action::Exchange => 3 + 3 * others,
            },
            Move::Pass => pass,
            Move::Challenge => pass + 1,
            Move::Block(card) => pass + 2 + card as usize,
            Move::Show(card) => pass + 2 + characters + card as usize,
            Move::Lose(card) => pass + 2 + 2 * characters + card as usize,
            Move::Keep(hand) => match hand.cards() {
                [first, second, ..] => {
                    let pair = *first as usize * characters + *second as usize;
                    pass + 2 + 4 * characters + pair
                }
                [card] => pass + 2 + 3 * characters + *card as usize,
                [] => pass,
            },
            Move::End => pass + 2 + 4 * characters + characters * characters,
        }
    }
}

/// The number of slots for what a turn owes.
fn owed(seats: usize) -> usize {
    OWED + seats - 2
}

/// The place of an action of a turn in [`ACTIONS`].
fn kind(action: Action) -> usize {
    match action {
        Action::Income => 0,
        Action::ForeignAid => 1,
        Action::Coup(_) => 2,
        Action::Tax => 3,
        Action::Assassinate(_) => 4,
        Action::Steal(_) => 5,
        Action::Exchange => 6,
    }
}

/// The place of a debt in [`DEBTS`], and the card that it is about.
fn parts(debt: Obligation) -> (usize, Option<Character>) {
    match debt {
        Obligation::Deal(_) => (0, None),
        Obligation::Act(_) => (1, None),
        Obligation::Answer(_) => (2, None),
        Obligation::Accept(_, card) => (3, Some(card)),
        Obligation::Prove(_, card) => (4, Some(card)),
        Obligation::Replace(_, card) => (5, Some(card)),
        Obligation::Draw(_) => (6, None),
        Obligation::Keep(_) => (7, None),
        Obligation::Lose(_) => (8, None),
        Obligation::Pay(_) => (9, None),
        Obligation::End(_) => (10, None),
        Obligation::Block(_) => (11, None),
        Obligation::Stand(_, card) => (12, Some(card)),
        Obligation::Doubt(_) => (13, None),
        Obligation::Effect(_) => (14, None),
    }
}

/// The cards of a hand in order, a slot each.
fn cards(columns: &mut impl ColumnVisitor, name: ColumnName, hand: Hand, slots: usize) {
    for slot in 0..slots {
        one_character(columns, name.slot(slot), hand.cards().get(slot).copied());
    }
}

fn one_character(columns: &mut impl ColumnVisitor, name: ColumnName, character: Option<Character>) {
    let (chosen, count) = (character.map(|it| it as usize), Character::ALL.len());
    columns.choice(name, chosen, count, |it| Character::ALL[it].name().to_owned());
}

/// The name of the column that counts claims of a character.
fn claim_of(character: Character) -> &'static str {
    match character {
        Character::Ambassador => "claims of ambassador",
        Character::Assassin => "claims of assassin",
        Character::Captain => "claims of captain",
        Character::Contessa => "claims of contessa",
        Character::Duke => "claims of duke",
    }
}
