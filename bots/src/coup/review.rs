//! A reviewer that values the moves of Coup by games played out by a table.
//!
//! # Theory of operation
//!
//! A value is the chance to win when both sides play on by the [table](crate::coup::expert) of the
//! expert, which gives little away to anyone. A world is a hand of the other seat together with the luck
//! of one game; hands are drawn by how likely
//! [`StyleTracker`] takes them to be for a seat that plays by
//! the table. Every move is played out once in each world, with the same luck.
//!
//! So a move is blamed for what it would lose against the strongest opponent. A player that exploits a weak one
//! departs from the table on purpose, and is blamed for it. Therefore there is a second value, by
//! what this opponent was [seen to do](ChoiceCounts) in other games; it is never called a mistake.

use rules::Request;
use rules::coup::{
    Action, Character, Counts, Coup, CoupRules, Hand, Move, Obligation, Options, possible_hands,
};
use search::WeightedSampler;

use crate::coup::expert::decision::{Decision, MoveResult};
use crate::coup::expert::packed::UnpackedTable;
use crate::coup::expert::position::{ChanceCache, Playout};
use crate::coup::expert::style_tracker::{self, ChoiceCounts, PlayStyle, StyleTracker};
use crate::coup::minimax::belief::{UnorderedHand, Weights};
use crate::coup::table::FastRng;
use crate::review::{Comparison, NotReviewed, ReviewedDecision, Reviewer, WorldResult};

/// Values moves by games in which both sides play on by the table of the expert.
#[derive(Debug, Clone)]
pub struct TableReviewer<'a> {
    /// The table; `None` if it is damaged.
    table: Option<UnpackedTable<'a>>,
    known: ChanceCache,
    /// What the opponent does, and the chances that were looked up in it.
    habits: Option<(ChoiceCounts<'a>, ChanceCache)>,
}

/// By the table that the expert has, and without habits of an opponent.
impl Default for TableReviewer<'static> {
    fn default() -> Self {
        TableReviewer {
            table: style_tracker::learned_table().map(UnpackedTable::new),
            known: ChanceCache::default(),
            habits: None,
        }
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
    ) -> Result<ReviewedDecision<Move>, NotReviewed> {
        let TableReviewer { table, known, habits } = self;
        let table = table.as_mut().ok_or(NotReviewed::NoWorld)?;
        let mut habits = habits.as_mut().filter(|_| by == Model::Habits);
        let manner = match &habits {
            Some((habits, _)) => PlayStyle::Counted(habits),
            None => PlayStyle::Table(table.packed()),
        };
        let decision = read(request, played)?;
        if let Some(certain) = decision.certain() {
            let certain = certain.into_iter();
            let certain = certain.map(|(mv, share)| (mv, WorldResult { share, points: None }));
            return Ok(Comparison::exact(decision.played, certain.collect()));
        }
        let possible = likely_hands(request, &decision, manner)?;
        let mut comparison = Comparison::new(decision.moves.len(), decision.played);
        let mut luck = FastRng::new("review coup ", request.heading.seed);
        let mut values = Vec::with_capacity(decision.moves.len());
        let own = request.heading.seat;
        for _ in 0..worlds {
            let world = luck.split();
            let mut start = world.clone();
            let point = start.unit() * possible.sum();
            let hand = possible.at(point).ok_or(NotReviewed::NoWorld)?;
            let position = decision.with_hand(*hand);
            values.clear();
            for (_, course) in &decision.moves {
                let share = match course {
                    MoveResult::Certain(share) => *share,
                    MoveResult::Choices(choices) => {
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
                values.push(WorldResult { share, points: None });
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
        options.rules == CoupRules::Contest
    }

    fn review(
        &mut self,
        request: &Request<Coup>,
        played: &Move,
        worlds: u32,
    ) -> Result<ReviewedDecision<Move>, NotReviewed> {
        self.compare(request, played, worlds, Model::Table)
    }

    fn phase(&self, request: &Request<Coup>) -> &'static str {
        match request.view.owed.last() {
            Some(Obligation::Answer(_)) => {
                match request.view.action.map(|action| action.blockers()) {
                    Some([_, ..]) => "block",
                    _ => "challenge",
                }
            }
            Some(Obligation::Accept(..)) => "challenge",
            Some(Obligation::Prove(..) | Obligation::Lose(_)) => "loss",
            Some(Obligation::Keep(_)) => "exchange",
            _ => "action",
        }
    }

    fn difference(&self, request: &Request<Coup>, played: &Move, better: &Move) -> String {
        difference(request, *played, *better)
    }

    fn learn(&mut self, request: &Request<Coup>, played: &Move) -> Result<(), NotReviewed> {
        let table = self.table.as_ref().ok_or(NotReviewed::NoWorld)?.packed();
        let decision = read(request, played)?;
        if decision.certain().is_none() {
            likely_hands(request, &decision, PlayStyle::Table(table))?;
        }
        let (habits, known) =
            self.habits.get_or_insert_with(|| (ChoiceCounts::new(table), ChanceCache::default()));
        decision.played_choices().into_iter().for_each(|(situation, hand, choice)| {
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
    ) -> Result<Option<ReviewedDecision<Move>>, NotReviewed> {
        match &self.habits {
            Some((habits, _)) if habits.decisions() > 0 => {
                self.compare(request, played, worlds, Model::Habits).map(Some)
            }
            _ => Ok(None),
        }
    }
}

fn read(request: &Request<Coup>, played: &Move) -> Result<Decision, NotReviewed> {
    if !request.legal.contains(played) {
        return Err(NotReviewed::NotLegal);
    }
    Decision::read(request, played).ok_or(NotReviewed::NoWorld)
}

/// How the move played differs from a better one, in at most 80 characters.
fn difference(request: &Request<Coup>, played: Move, better: Move) -> String {
    let hand = request.view.hand;
    match (played, better) {
        (Move::Act(played), Move::Act(better)) => between_actions(hand, played, better),
        (Move::Keep(played), Move::Keep(better)) => between_hands(played, better),
        (Move::Lose(lost), Move::Lose(better)) => {
            format!("loses the {lost} and keeps the {better}")
        }
        (Move::Challenge, _) => match claim(request) {
            Some(card) if is_block(request) => format!("challenges a block by {}", a(card)),
            Some(card) => format!("challenges {}", a(card)),
            None => "challenges".to_owned(),
        },
        (Move::Block(played), Move::Block(better)) if hand.contains(better) => {
            let blocked = blocked(request);
            format!("blocks {blocked} as {played} and not with the {better} it holds")
        }
        (Move::Block(card), _) if hand.contains(card) => {
            format!("blocks {} with the {card} it holds", blocked(request))
        }
        (Move::Block(card), _) => format!("blocks {} as {card} in a bluff", blocked(request)),
        (_, Move::Challenge) => match claim(request) {
            Some(card) if is_block(request) => {
                format!("does not challenge a block by {}", a(card))
            }
            Some(card) => format!("does not challenge {}", a(card)),
            None => "does not challenge".to_owned(),
        },
        (_, Move::Block(card)) if hand.contains(card) => {
            format!("does not block {} with the {card} it holds", blocked(request))
        }
        (_, Move::Block(card)) => {
            format!("does not block {} as {card} in a bluff", blocked(request))
        }
        (_, Move::Pass) => format!("does not let {} pass", blocked(request)),
        (played, better) => format!("plays {} and not {}", verb(played), verb(better)),
    }
}

fn between_actions(hand: Hand, played: Action, better: Action) -> String {
    let holds = |action: Action| action.claim().is_none_or(|card| hand.contains(card));
    let thing = match (better, better.claim()) {
        (_, Some(card)) if !holds(better) => format!("a bluff as {card}"),
        (Action::Income, _) => "income".to_owned(),
        (Action::ForeignAid, _) => "foreign aid".to_owned(),
        (Action::Coup(_), _) => return "does not coup".to_owned(),
        (Action::Tax, _) => "a tax".to_owned(),
        (Action::Assassinate(_), _) => "an assassination".to_owned(),
        (Action::Steal(_), _) => "a theft".to_owned(),
        (Action::Exchange, _) => "an exchange".to_owned(),
    };
    let does = match (played, played.claim()) {
        (_, Some(card)) if !holds(played) => return format!("bluffs as {card}"),
        (Action::Income, _) => "takes income",
        (Action::ForeignAid, _) => "takes foreign aid",
        (Action::Coup(_), _) => "makes a coup",
        (Action::Tax, _) => "takes a tax",
        (Action::Assassinate(_), _) => "assassinates",
        (Action::Steal(_), _) => "steals",
        (Action::Exchange, _) => "exchanges",
    };
    format!("{does} where {thing} would be better")
}

fn between_hands(played: Hand, better: Hand) -> String {
    let more = |one: Hand, other: Hand| -> Vec<String> {
        let [one, other]: [Counts; 2] = [one, other].map(|hand| hand.into_iter().collect());
        let differ = Character::ALL.into_iter().flat_map(|card| {
            let times = one.count(card).saturating_sub(other.count(card)) as usize;
            std::iter::repeat_n(format!("the {card}"), times)
        });
        differ.collect()
    };
    let (kept, put_back) = (more(played, better), more(better, played));
    format!("keeps {}, puts back {}", kept.join(" and "), put_back.join(" and "))
}

fn claim(request: &Request<Coup>) -> Option<Character> {
    request.view.claim().map(|(_, card)| card)
}

/// Returns true if the claim is that of a block.
fn is_block(request: &Request<Coup>) -> bool {
    matches!(request.view.owed.last(), Some(Obligation::Accept(..)))
}

/// What can be blocked or let pass.
fn blocked(request: &Request<Coup>) -> &'static str {
    match request.view.action {
        _ if is_block(request) => "a block",
        Some(Action::ForeignAid) => "foreign aid",
        Some(Action::Assassinate(_)) => "an assassination",
        Some(Action::Steal(_)) => "a theft",
        Some(Action::Tax) => "a tax",
        Some(Action::Exchange) => "an exchange",
        _ => "it",
    }
}

fn a(card: Character) -> String {
    match card {
        Character::Ambassador | Character::Assassin => format!("an {card}"),
        _ => format!("a {card}"),
    }
}

/// The first word of a move, whatever it is about.
fn verb(mv: Move) -> &'static str {
    match mv {
        Move::Act(_) => "an action",
        Move::Pass => "pass",
        Move::Challenge => "challenge",
        Move::Block(_) => "block",
        Move::Show(_) => "show",
        Move::Lose(_) => "lose",
        Move::Keep(_) => "keep",
        Move::End => "end",
    }
}

/// The hands that the other seat may hold if it plays in this manner.
fn likely_hands(
    request: &Request<Coup>,
    decision: &Decision,
    manner: PlayStyle<'_>,
) -> Result<WeightedSampler<u8>, NotReviewed> {
    let weights = hand_weights(request, manner).ok_or(NotReviewed::NoWorld)?;
    let hands = WeightedSampler::new(decision.hands(weights));
    if hands.sum() > 0.0 { Ok(hands) } else { Err(NotReviewed::NoWorld) }
}

fn hand_weights(request: &Request<Coup>, manner: PlayStyle<'_>) -> Option<Weights> {
    let Request { heading, view, .. } = request;
    let mut suspicion = StyleTracker::new(heading.seat, [(manner, 1.0)])?;
    suspicion.follow(request)?;
    let own: Counts = view.hand.into_iter().collect();
    if suspicion.own() != own {
        return None;
    }
    let weights = suspicion.hands();
    // Where it has done what the table never does, its cards are what they can be.
    if weights.iter().sum::<f64>() > 0.0 { Some(weights) } else { all_possible(request) }
}

fn all_possible(request: &Request<Coup>) -> Option<Weights> {
    let mut weights = [0.0; UnorderedHand::COUNT];
    for (hand, chance) in possible_hands(request.heading.seat, &request.events()) {
        weights[UnorderedHand::new(hand)?.index()] += chance;
    }
    Some(weights)
}
