//! The features `minimax`: the state of the game, and what the player knows and assumes of the hands
//! of the others.

use bots::tablic::{classes::Class, minimax::Knowledge};
use rules::tablic::{Move, Tablic};
use rules::{CardSet, Request};

use crate::export::classes;
use crate::export::rows::{Cell, Row};

pub(super) fn columns(seats: usize) -> Vec<String> {
    let of_seats = |prefix: &'static str| (0..seats).map(move |seat| format!("{prefix}_{seat}"));
    let mut columns = vec!["seats".to_owned(), "seat".to_owned()];
    columns.extend(of_seats("points").chain(of_seats("cards")));
    columns.push("last".to_owned());
    columns.extend(classes::columns("known"));
    columns.extend((1..seats).flat_map(|other| classes::columns(&format!("lacks_{other}"))));
    columns.extend(classes::columns("hand").chain(classes::columns("table")));
    columns.push("played".to_owned());
    columns.extend(classes::columns("captured"));
    columns
}

/// The row of a move; `None` if what the seat was told contradicts itself.
pub(super) fn row(request: &Request<Tablic>, mv: Move) -> Option<Row> {
    let (view, seat) = (&request.view, request.heading.seat);
    let knowledge = Knowledge::read(request)?;
    let mut row = vec![Cell::Number(view.points.count() as u64), seat.into()];
    row.extend(
        [&view.points, &view.cards]
            .iter()
            .flat_map(|of_seats| of_seats.values())
            .map(|number| Cell::from(*number)),
    );
    row.push(view.last.map_or(Cell::Nothing, Cell::from));
    row.extend(classes::counts(CardSet::PACK - knowledge.unseen()));
    let others = view.points.seats().filter(|other| *other != seat);
    row.extend(others.flat_map(|other| classes::flags(knowledge.assumed(other))));
    row.extend(classes::counts(view.hand));
    row.extend(classes::counts(view.table));
    row.push(classes::number(Class::new(mv.card)));
    row.extend(classes::counts(mv.captured));
    Some(row)
}
