//! How others play: what they do in rough situations, counted.

use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::Coup;
use bots::coup::expert::situation::Situation;
use bots::coup::expert::speech::answer;
use bots::{AnyPlayer, NoMove, Player};
use rules::Request;
use rules::coup::Move;

use crate::coup::store::{HEAD, Layout, Store, shard_of};
use crate::coup::table::place;

/// Adds to how often a choice was made in a situation with a hand.
pub fn count(store: &mut Store, situation: &Situation, hand: usize, choice: usize, times: f32) {
    let layout = Layout::new(situation);
    let key = situation.key();
    let record = store.shards[shard_of(key)].get_or_new(key, layout.len());
    record[0] += times;
    record[1] += times;
    let sums = HEAD + layout.shape.len() + layout.strategy();
    record[sums + place(situation, &layout, choice, hand)] += times;
}

/// A player whose choices are counted.
pub struct Watched {
    player: AnyPlayer<Coup>,
    counts: Arc<Mutex<Store>>,
}

impl Watched {
    /// Counts what a player does.
    pub fn new(player: AnyPlayer<Coup>, counts: Arc<Mutex<Store>>) -> Watched {
        Watched { player, counts }
    }
}

impl Player<Coup> for Watched {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mv = self.player.choose(request)?;
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (situation, hand, choice) in choices(request, mv) {
            count(&mut counts, &situation.rough(), hand, choice, 1.0);
        }
        Ok(mv)
    }
}

/// The choices that a move is, each with its situation and the number of the hand.
fn choices(request: &Request<Coup>, mv: Move) -> Vec<(Situation, usize, usize)> {
    // Two choices at most: to let an assassination pass, and which card to give up.
    let mut first = 0;
    loop {
        let mut second = 0;
        loop {
            let mut made = Vec::new();
            let mut tried = [first, second].into_iter();
            let mut more = false;
            let answered = answer(request, |situation, hand| {
                let choice = tried.next()?;
                let options = situation.options(hand);
                more = made.len() == 1 && choice + 1 < options;
                made.push((*situation, hand, choice));
                situation.choices().get(..options)?.get(choice).copied()
            });
            if answered == Some(mv) {
                return made;
            }
            let Some((situation, hand, _)) = made.first() else { return Vec::new() };
            if !more {
                if first + 1 >= situation.options(*hand) {
                    return Vec::new();
                }
                break;
            }
            second += 1;
        }
        first += 1;
    }
}
