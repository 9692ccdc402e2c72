//! Styles of other players: counts of their choices in rough situations.

use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::Coup;
use bots::coup::expert::packed::CHOICES;
use bots::coup::expert::read::answer;
use bots::coup::expert::situation::Situation;
use bots::{AnyPlayer, NoMove, Player};
use rules::Request;
use rules::coup::Move;

use crate::coup::store::{HEAD, Layout, Store, place, shard_of};

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

/// A choice in a situation, with the number of the hand and the place of the choice.
type Made = (Situation, usize, usize);

/// The choices that come to a move: the reverse of [`answer`], found by trying all of them. There are
/// two where an assassination is let pass and a card given up, and none if nothing was chosen.
fn choices(request: &Request<Coup>, mv: Move) -> Vec<Made> {
    for first in 0..CHOICES {
        for second in 0..2 {
            let (answered, made) = tried(request, [first, second]);
            if answered == Some(mv) {
                return made;
            }
            // The second place was not looked at, so another one changes nothing.
            if made.len() < 2 {
                break;
            }
        }
    }
    Vec::new()
}

/// Plays the choices at these places, one after the other.
fn tried(request: &Request<Coup>, places: [usize; 2]) -> (Option<Move>, Vec<Made>) {
    let mut made = Vec::new();
    let mut places = places.into_iter();
    let answered = answer(request, |situation, hand| {
        let place = places.next()?;
        made.push((*situation, hand, place));
        situation.choices().get(..situation.options(hand))?.get(place).copied()
    });
    (answered, made)
}
