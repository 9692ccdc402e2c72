//! The features `greedy`: the hand and the table, by classes of cards.

use bots::tablic::classes::{Class, ClassCounts};
use rules::Request;
use rules::tablic::{Move, Tablic};

use crate::export::classes;
use crate::export::rows::Row;

pub(super) fn columns() -> Vec<String> {
    let hand = classes::columns("hand");
    hand.chain(classes::columns("table")).chain(["played".to_owned()]).collect()
}

pub(super) fn row(request: &Request<Tablic>, mv: Move) -> Option<Row> {
    let view = &request.view;
    let mut row: Row = classes::flags(ClassCounts::count(view.hand).classes()).collect();
    row.extend(classes::counts(view.table));
    row.push(classes::number(Class::new(mv.card)));
    Some(row)
}
