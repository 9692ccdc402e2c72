//! Belief of a seat about the other's hand that remembers the whole game and how the other plays.

use bots::coup::expert::cards::count;
use bots::coup::expert::position::Position;
use bots::coup::expert::situation::{ChallengeResult, Choice, TurnSide};

use crate::coup::block::{Block, Shape, ZERO, normalise};
use crate::coup::deck::Decks;
use crate::coup::node::{Node, Outcome, STRATEGY, Source};
use crate::coup::store::{Layout, Table, best, place};

/// The chance of each hand of the other, for the seat that knows its own.
#[derive(Debug)]
pub struct Belief<'a> {
    decks: &'a Decks,
    seat: usize,
    node: Node,
    joint: Block,
    strategy: Vec<f32>,
}

impl<'a> Belief<'a> {
    /// The belief of a seat, 0 or 1, at the start.
    pub fn new(decks: &'a Decks, seat: usize, position: &Position) -> Belief<'a> {
        let strategy = vec![0.0; STRATEGY];
        let mut belief = Belief { decks, seat, node: Node::new(), joint: decks.start, strategy };
        belief.keep_own(position);
        belief
    }

    fn side(&self, position: &Position) -> TurnSide {
        if position.actor == self.seat { TurnSide::Actor } else { TurnSide::Other }
    }

    /// Strikes out all hands of its own but the one that it has.
    fn keep_own(&mut self, position: &Position) {
        let situation = &position.situation;
        let shape =
            Shape::new([situation.cards(TurnSide::Actor), situation.cards(TurnSide::Other)]);
        let side = self.side(position).index();
        let own = usize::from(position.hands[side]);
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                if [row, column][side] != own {
                    self.joint[row * shape.stride + column] = 0.0;
                }
            }
        }
        if !normalise(&mut self.joint[..shape.len()]) {
            // The table has done what it never does: any hand that can be.
            self.joint = ZERO;
            let shares = self.decks.shares(situation);
            let other = 1 - side;
            for row in 0..shape.rows {
                for column in 0..shape.columns {
                    let at = row * shape.stride + column;
                    let hand = [row, column][other];
                    let fits = (0..5u8).all(|card| {
                        let held = count(shape.cards[other], hand, card) == 0;
                        held || shares[usize::from(card)][at] > 0.0
                    });
                    if [row, column][side] == own && fits {
                        self.joint[at] = 1.0;
                    }
                }
            }
            normalise(&mut self.joint[..shape.len()]);
        }
    }

    /// Worth of each choice to it, by these values of the next positions.
    pub fn best(&mut self, position: &Position, discount: f32, source: &impl Source) -> usize {
        self.node.look(&position.situation, &self.joint, self.decks, discount, source);
        let hand = position.hand();
        best(position.options(), |choice| self.node.gains[self.node.place(choice, hand)])
    }

    /// Learns from a choice that was made in `before` and led to `after`.
    pub fn learn(
        &mut self,
        before: &Position,
        choice: Choice,
        after: &Position,
        table: &impl Table,
    ) {
        if after.end.is_some() {
            return;
        }
        let situation = &before.situation;
        let layout = Layout::new(situation);
        let chosen = situation.choices().iter().position(|other| *other == choice);
        let chosen = chosen.unwrap_or_default();
        if before.seat() == self.seat {
            self.strategy[..layout.strategy()].fill(0.0);
            self.strategy[place(situation, &layout, chosen, before.hand())] = 1.0;
        } else {
            table.strategy(situation, &mut self.strategy);
        }
        let outcome = match choice {
            Choice::Challenge => {
                let Some((claimer, card)) = situation.stage.claim() else { return };
                let hand = usize::from(before.hands[claimer.index()]);
                let found = match count(situation.cards(claimer), hand, card) {
                    0 => ChallengeResult::Missing,
                    _ => ChallengeResult::There,
                };
                Outcome::Challenged(chosen, found)
            }
            Choice::LoseLow | Choice::LoseHigh => {
                let loser = situation.stage.decides();
                let now = if after.actor == before.actor { loser } else { loser.opposite() };
                Outcome::Lost(after.situation.lost[now.index()].saturating_sub(1))
            }
            Choice::Keep(_) => Outcome::Exchanged,
            _ => Outcome::Chosen(chosen),
        };
        self.node.put(situation, &self.joint, self.decks);
        let child = self.node.child(outcome, &self.strategy, self.decks);
        self.joint = child.map_or(ZERO, |(_, _, joint)| joint);
        self.keep_own(after);
    }
}
