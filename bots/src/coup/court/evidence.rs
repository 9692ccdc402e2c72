//! What the moves of a game tell of hands and manners.

use rules::coup::{Action, Character, Coup, Event, Faces, Move};
use rules::{Request, Seat};

use crate::coup::court::table::{CARDS, CONTESSA, Card, DUKE, Held, SEATS};

/// How likely an honest seat has claimed a card that it does not hold, against one that it holds.
const HONEST_CLAIM: f64 = 0.02;

/// Likewise a seat that bluffs.
const BLUFFED_CLAIM: f64 = 0.45;

/// How likely an honest seat that holds a card has let a chance to claim it go, against one that does not
/// hold it.
const HONEST_SILENCE: f64 = 0.05;

/// Likewise a seat that bluffs.
const BLUFFER_SILENCE: f64 = 0.4;

/// The chance that a seat bluffs of which nothing is known.
const BLUFFS: f64 = 0.25;

/// What is known of the other seats.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    seats: [Known; SEATS],
    /// The seats that have blocked foreign aid, a bit each.
    pub(super) guards: u8,
    /// By the thief: the seats that have blocked its theft, a bit each.
    pub(super) thwarted: [u8; SEATS],
}

/// What a seat has shown since its cards changed.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The cards that it has claimed.
    claimed: [bool; CARDS],
    /// The cards that it would have claimed.
    silent: [bool; CARDS],
    /// It was caught, or has challenged what could be.
    bluffs: bool,
}

/// A history that is read.
struct Reader {
    evidence: Evidence,
    action: Option<(Seat, Action)>,
    /// The claim that may be challenged, and whether it is that of a block.
    open: Option<(Seat, Claimed)>,
    /// The claim that was challenged, and the seat that did.
    challenged: Option<(Seat, Seat)>,
    /// Coins by the actions alone, which is enough to know who could pay.
    coins: [u32; SEATS],
}

/// What a claim is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claimed {
    Action,
    Block,
}

impl Reader {
    fn observe(&mut self, event: &Event) {
        match *event {
            Event::Move { seat, mv } if seat.index() < SEATS => self.moves(seat, mv),
            Event::KeepUnseen { seat: changed, .. }
            | Event::Draw { to: changed, cards: Faces::Unseen(1) }
                if changed.index() < SEATS =>
            {
                self.evidence.changes(changed.index());
            }
            _ => {}
        }
    }

    fn moves(&mut self, seat: Seat, mv: Move) {
        let place = seat.index();
        match mv {
            Move::Act(action) => {
                self.action = Some((seat, action));
                self.open = action.claim().map(|_| (seat, Claimed::Action));
                self.evidence.acts(place, action, self.coins[place]);
                let coins = &mut self.coins[place];
                *coins = (*coins + action.brings(2)).saturating_sub(action.cost());
            }
            Move::Pass => {
                let answers_block = matches!(self.open, Some((_, Claimed::Block)));
                if let Some((_, action)) = self.action.filter(|_| !answers_block) {
                    self.evidence.passes(seat, action);
                }
            }
            Move::Challenge => self.challenged = self.open.take().map(|(claims, _)| (claims, seat)),
            Move::Block(card) => {
                self.open = Some((seat, Claimed::Block));
                self.evidence.blocks(seat, card, self.action);
            }
            Move::Show(_) => {
                // A seat that is about to be gone has nothing to lose, and doubts whatever its manner.
                let doubting = self.challenged.take().map(|(_, doubting)| doubting);
                let doubting = doubting.filter(|seat| Some(*seat) != self.assassinated());
                let doubting = doubting.map(Seat::index);
                if let Some(known) = doubting.and_then(|seat| self.evidence.seats.get_mut(seat)) {
                    known.bluffs = true;
                }
            }
            Move::Lose(card) => self.loses(seat, card),
            Move::Keep(_) => self.evidence.changes(place),
            Move::End => {}
        }
    }

    /// The target of an assassination.
    fn assassinated(&self) -> Option<Seat> {
        match self.action?.1 {
            Action::Assassinate(target) => Some(target),
            _ => None,
        }
    }

    fn loses(&mut self, seat: Seat, card: Character) {
        let target = self.assassinated();
        let known = &mut self.evidence.seats[seat.index()];
        let is_caught = self.challenged.is_some_and(|(claims, _)| claims == seat);
        if is_caught {
            self.challenged = None;
            known.bluffs = true;
        } else if target == Some(seat) && matches!(self.open, Some((_, Claimed::Action))) {
            known.silent[usize::from(CONTESSA)] = true;
        }
        known.claimed[card as usize] = false;
    }
}

impl Evidence {
    /// Reads the history of a request.
    pub(super) fn read(request: &Request<Coup>) -> Evidence {
        let evidence =
            Evidence { seats: [Known::default(); SEATS], guards: 0, thwarted: [0; SEATS] };
        let mut reader =
            Reader { evidence, action: None, open: None, challenged: None, coins: [2; SEATS] };
        request.events().iter().for_each(|event| reader.observe(event));
        reader.evidence
    }

    /// How likely this hand of a seat is, by what it has claimed and not claimed, in a manner.
    pub(super) fn likelihood(&self, seat: usize, hand: Held, bluffs: bool) -> f64 {
        let Known { claimed, silent, .. } = &self.seats[seat];
        let (claim, silence) = match bluffs {
            true => (BLUFFED_CLAIM, BLUFFER_SILENCE),
            false => (HONEST_CLAIM, HONEST_SILENCE),
        };
        (0..CARDS).fold(1.0, |likelihood, card| {
            let holds = hand.holds(card as Card);
            match (claimed[card], silent[card]) {
                (true, _) if !holds => likelihood * claim,
                (false, true) if holds => likelihood * silence,
                _ => likelihood,
            }
        })
    }

    /// The chance that a seat bluffs.
    pub(super) fn bluffs(&self, seat: usize) -> f64 {
        if self.seats[seat].bluffs { 1.0 } else { BLUFFS }
    }

    fn acts(&mut self, place: usize, act: Action, coins: u32) {
        let known = &mut self.seats[place];
        match act.claim() {
            Some(card) => {
                known.claimed[card as usize] = true;
                known.silent[card as usize] = false;
            }
            None if !matches!(act, Action::Coup(_)) => known.silent[usize::from(DUKE)] = true,
            None => {}
        }
        if coins >= 3 && !matches!(act, Action::Assassinate(_) | Action::Coup(_)) {
            known.silent[Character::Assassin as usize] = true;
        }
    }

    fn passes(&mut self, seat: Seat, act: Action) {
        let asked = act.target().is_none_or(|target| target == seat);
        if asked {
            for card in act.blockers() {
                self.seats[seat.index()].silent[*card as usize] = true;
            }
        }
    }

    fn blocks(&mut self, seat: Seat, card: Character, action: Option<(Seat, Action)>) {
        let known = &mut self.seats[seat.index()];
        known.claimed[card as usize] = true;
        known.silent[card as usize] = false;
        match action {
            Some((_, Action::ForeignAid)) => self.guards |= 1 << seat.index(),
            Some((thief, Action::Steal(_))) => {
                if let Some(thwarted) = self.thwarted.get_mut(thief.index()) {
                    *thwarted |= 1 << seat.index();
                }
            }
            _ => {}
        }
    }

    /// Its cards have changed, and tell nothing any more.
    fn changes(&mut self, place: usize) {
        let bluffs = self.seats[place].bluffs;
        self.seats[place] = Known { bluffs, ..Known::default() };
    }
}
