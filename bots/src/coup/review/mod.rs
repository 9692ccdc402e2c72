//! A reviewer that values the moves of Coup by games played out by a table.
//!
//! # Theory of operation
//!
//! A value is the chance to win when both sides play on by the [table](crate::coup::expert) of the
//! expert, which gives little away to anyone. A world is a hand of the other seat together with the luck
//! of one game; hands are drawn by how likely
//! [`Suspicion`](crate::coup::expert::suspicion::Suspicion) takes them to be for a seat that plays by
//! the table. Every move is played out once in each world, with the same luck.
//!
//! So a move is blamed for what it would lose against the strongest opponent. A player that exploits a weak one
//! departs from the table on purpose, and is blamed for it. Therefore there is a second value, by
//! what this opponent was [seen to do](Counted) in other games; it is never called a mistake.

mod words;
mod worlds;

use rules::Request;
use rules::coup::{Coup, Debt, Move, Options, Rules};

use crate::coup::expert::counted::Counted;
use crate::coup::expert::decision::{Course, Decision};
use crate::coup::expert::learned;
use crate::coup::expert::playout::{Known, Playout};
use crate::coup::expert::suspicion::Manner;
use crate::coup::expert::unpacked::Unpacked;
use crate::coup::luck::Luck;
use crate::review::{Comparison, NotReviewed, Reviewed, Reviewer, Value};
use worlds::Worlds;

/// Values moves by games in which both sides play on by the table of the expert.
#[derive(Debug, Clone)]
pub struct TableReviewer<'a> {
    /// The table; `None` if it is damaged.
    table: Option<Unpacked<'a>>,
    known: Known,
    /// What the opponent does, and the chances that were looked up in it.
    habits: Option<(Counted<'a>, Known)>,
}

impl TableReviewer<'static> {
    /// A reviewer by the table that the expert has, and without habits of an opponent.
    pub fn new() -> TableReviewer<'static> {
        TableReviewer {
            table: learned::table().map(Unpacked::new),
            known: Known::default(),
            habits: None,
        }
    }
}

impl Default for TableReviewer<'static> {
    fn default() -> Self {
        TableReviewer::new()
    }
}

impl TableReviewer<'_> {
    /// The values of the moves of a decision, which the other seat plays on by the table or by its habits.
    fn compare(
        &mut self,
        request: &Request<Coup>,
        played: &Move,
        worlds: u32,
        by: Model,
    ) -> Result<Reviewed<Move>, NotReviewed> {
        let TableReviewer { table, known, habits } = self;
        let table = table.as_mut().ok_or(NotReviewed::NoWorld)?;
        let mut habits = habits.as_mut().filter(|_| by == Model::Habits);
        let manner = match &habits {
            Some((habits, _)) => Manner::Counted(habits),
            None => Manner::Table(table.packed()),
        };
        let decision = read(request, played)?;
        if let Some(certain) = decision.certain() {
            let certain = certain.into_iter();
            let certain = certain.map(|(mv, share)| (mv, Value { share, points: None }));
            return Ok(Comparison::exact(decision.played, certain.collect()));
        }
        let possible = Worlds::read(request, &decision, manner).ok_or(NotReviewed::NoWorld)?;
        let mut comparison = Comparison::new(decision.moves.len(), decision.played);
        let mut luck = Luck::new("review coup ", request.heading.seed);
        let mut values = Vec::with_capacity(decision.moves.len());
        let own = request.heading.seat;
        for _ in 0..worlds {
            let world = luck.split();
            let mut start = world.clone();
            let position = possible.at(start.unit(), &decision).ok_or(NotReviewed::NoWorld)?;
            values.clear();
            for (_, course) in &decision.moves {
                let share = match course {
                    Course::Certain(share) => *share,
                    Course::Choices(choices) => {
                        let mut playout = Playout::new(position, start.clone());
                        playout.run(choices, |seat, situation, hand| match &mut habits {
                            Some((habits, known)) if seat != own.index() => {
                                known.get(situation, hand, || {
                                    let chances = table.chances(situation, hand);
                                    habits.blended(situation, hand, chances)
                                })
                            }
                            _ => known.get(situation, hand, || table.chances(situation, hand)),
                        });
                        playout.share(own.index())
                    }
                };
                values.push(Value { share, points: None });
            }
            comparison.add(&values);
        }
        comparison.reviewed(decision.moves.into_iter().map(|(mv, _)| mv).collect())
    }
}

/// How the other seat is taken to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Model {
    Table,
    Habits,
}

impl Reviewer<Coup> for TableReviewer<'_> {
    const LEARNS: bool = true;

    /// The table is for the contest alone.
    fn knows(options: &Options) -> bool {
        options.rules == Rules::Contest
    }

    fn review(
        &mut self,
        request: &Request<Coup>,
        played: &Move,
        worlds: u32,
    ) -> Result<Reviewed<Move>, NotReviewed> {
        self.compare(request, played, worlds, Model::Table)
    }

    fn phase(&self, request: &Request<Coup>) -> &'static str {
        match request.view.owed.last() {
            Some(Debt::Answer(_)) => match request.view.action.map(|action| action.blockers()) {
                Some([_, ..]) => "block",
                _ => "challenge",
            },
            Some(Debt::Accept(..)) => "challenge",
            Some(Debt::Prove(..) | Debt::Lose(_)) => "loss",
            Some(Debt::Keep(_)) => "exchange",
            _ => "action",
        }
    }

    fn difference(&self, request: &Request<Coup>, played: &Move, better: &Move) -> String {
        words::difference(request, *played, *better)
    }

    fn learn(&mut self, request: &Request<Coup>, played: &Move) -> Result<(), NotReviewed> {
        let table = self.table.as_ref().ok_or(NotReviewed::NoWorld)?.packed();
        let decision = read(request, played)?;
        if decision.certain().is_none() {
            Worlds::read(request, &decision, Manner::Table(table)).ok_or(NotReviewed::NoWorld)?;
        }
        let (habits, known) =
            self.habits.get_or_insert_with(|| (Counted::new(table), Known::default()));
        decision.made().into_iter().for_each(|(situation, hand, choice)| {
            habits.count(&situation, hand, choice);
        });
        known.forget();
        Ok(())
    }

    fn forget(&mut self) {
        self.habits = None;
    }

    fn review_habits(
        &mut self,
        request: &Request<Coup>,
        played: &Move,
        worlds: u32,
    ) -> Result<Option<Reviewed<Move>>, NotReviewed> {
        match &self.habits {
            Some((habits, _)) if habits.decisions() > 0 => {
                self.compare(request, played, worlds, Model::Habits).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The decision of a request in which this move was played.
fn read(request: &Request<Coup>, played: &Move) -> Result<Decision, NotReviewed> {
    if !request.legal.contains(played) {
        return Err(NotReviewed::NotLegal);
    }
    Decision::read(request, played).ok_or(NotReviewed::NoWorld)
}
