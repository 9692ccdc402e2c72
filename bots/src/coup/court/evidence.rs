//! What the moves of a game tell of hands and manners.

use rules::coup::{Action, Character, Coup, Event, Move, SeenHand};
use rules::{Request, Seat};

use crate::coup::court::table::{CARDS, CONTESSA, Card, DUKE, SEATS, SeatCards};

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
    seats: [SeatEvidence; SEATS],
    /// The seats that have blocked foreign aid, a bit each.
    pub(super) guards: u8,
    /// By the thief: the seats that have blocked its theft, a bit each.
    pub(super) thwarted: [u8; SEATS],
}

/// What a seat has shown since its cards changed.
#[derive(Debug, Clone, Copy, Default)]
struct SeatEvidence {
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
    open: Option<(Seat, ClaimKind)>,
    /// The claim that was challenged, and the seat that did.
    challenged: Option<(Seat, Seat)>,
    /// The coins, to know who could pay.
    purses: CoinCounts,
}

/// What a claim is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClaimKind {
    Action,
    Block,
}

impl Reader {
    /// Before the first event of a game of this number of seats.
    fn new(seats: usize) -> Reader {
        let evidence =
            Evidence { seats: [SeatEvidence::default(); SEATS], guards: 0, thwarted: [0; SEATS] };
        let purses = CoinCounts::new(seats);
        Reader { evidence, action: None, open: None, challenged: None, purses }
    }

    fn observe(&mut self, event: &Event) {
        match *event {
            Event::Move { seat, mv } if seat.index() < SEATS => self.moves(seat, mv),
            Event::KeepUnseen { seat: changed, .. }
            | Event::Draw { to: changed, cards: SeenHand::Unseen(1) }
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
                self.open = action.claim().map(|_| (seat, ClaimKind::Action));
                self.evidence.acts(place, action, self.purses.at_turn(place));
                self.purses.act(place, action);
            }
            Move::Pass => {
                let answers_block = matches!(self.open, Some((_, ClaimKind::Block)));
                if let Some((_, action)) = self.action.filter(|_| !answers_block) {
                    self.evidence.passes(seat, action);
                }
            }
            Move::Challenge => self.challenged = self.open.take().map(|(claims, _)| (claims, seat)),
            Move::Block(card) => {
                self.open = Some((seat, ClaimKind::Block));
                self.purses.block();
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
            self.purses.caught(seat.index());
        } else if target == Some(seat) && matches!(self.open, Some((_, ClaimKind::Action))) {
            known.silent[usize::from(CONTESSA)] = true;
        }
        known.claimed[card as usize] = false;
        self.purses.lose(seat.index());
    }
}

impl Evidence {
    pub(super) fn read(request: &Request<Coup>) -> Evidence {
        let mut reader = Reader::new(request.options.seats());
        request.events().iter().for_each(|event| reader.observe(event));
        reader.evidence
    }

    /// How likely this hand of a seat is, by what it has claimed and not claimed, in a manner.
    pub(super) fn likelihood(&self, seat: usize, hand: SeatCards, bluffs: bool) -> f64 {
        let SeatEvidence { claimed, silent, .. } = &self.seats[seat];
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
        self.seats[place] = SeatEvidence { bluffs, ..SeatEvidence::default() };
    }
}

/// The coins of all seats, and what the last action is yet to change.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CoinCounts {
    coins: [u32; SEATS],
    /// Number of cards of each seat, without which it has no coins.
    cards: [u8; SEATS],
    effect: PendingEffect,
}

/// What the last action is yet to change; the seat is that which acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingEffect {
    None,
    /// It takes effect at the end of the turn.
    Open(usize, Action),
    /// A block stops it, unless that is challenged and false.
    Blocked(usize, Action),
}

impl CoinCounts {
    /// The coins at the start of a game of this number of seats at a court.
    pub(super) fn new(seats: usize) -> CoinCounts {
        let mut coins = [2; SEATS];
        if seats == 2 {
            coins[0] = 1;
        }
        CoinCounts { coins, cards: [2; SEATS], effect: PendingEffect::None }
    }

    /// The coins of a seat between two turns; the turn before has ended.
    pub(super) fn at_turn(&mut self, seat: usize) -> u32 {
        if let PendingEffect::Open(actor, action) = self.effect {
            self.take_effect(actor, action);
        }
        self.effect = PendingEffect::None;
        self.coins(seat)
    }

    /// A seat pays its action, which is open now.
    pub(super) fn act(&mut self, seat: usize, action: Action) {
        self.set_coins(seat, self.coins(seat).saturating_sub(action.cost()));
        self.effect = PendingEffect::Open(seat, action);
    }

    pub(super) fn block(&mut self) {
        if let PendingEffect::Open(actor, action) = self.effect {
            self.effect = PendingEffect::Blocked(actor, action);
        }
    }

    /// The claim of a seat, for its action or for a block, has turned out to be false.
    pub(super) fn caught(&mut self, seat: usize) {
        self.effect = match self.effect {
            PendingEffect::Open(actor, action) if actor == seat => {
                self.set_coins(seat, self.coins(seat).saturating_add(action.cost()));
                PendingEffect::None
            }
            PendingEffect::Blocked(actor, action) => PendingEffect::Open(actor, action),
            other => other,
        };
    }

    /// A seat loses a card, and its coins with the last one.
    pub(super) fn lose(&mut self, seat: usize) {
        let Some(cards) = self.cards.get_mut(seat) else { return };
        *cards = cards.saturating_sub(1);
        if *cards == 0 {
            self.set_coins(seat, 0);
        }
    }

    fn take_effect(&mut self, actor: usize, action: Action) {
        let target = action.target().map(|target| target.index());
        let gain = action.brings(target.map_or(0, |target| self.coins(target)));
        if let (Action::Steal(_), Some(target)) = (action, target) {
            self.set_coins(target, self.coins(target).saturating_sub(gain));
        }
        self.set_coins(actor, self.coins(actor).saturating_add(gain));
    }

    fn coins(&self, seat: usize) -> u32 {
        self.coins.get(seat).copied().unwrap_or_default()
    }

    fn set_coins(&mut self, seat: usize, coins: u32) {
        if let Some(purse) = self.coins.get_mut(seat) {
            *purse = coins;
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::{BotSeed, Game, Turn};

    use super::*;

    /// What is known of a seat of three after these events.
    fn known(seat: usize, lines: &str) -> SeatEvidence {
        let mut reader = Reader::new(3);
        for line in lines.split("; ") {
            reader.observe(&line.parse().expect("an event"));
        }
        reader.evidence.seats[seat]
    }

    /// A mended fault: an action brought its coins when it was announced, also if it was stopped.
    #[test]
    fn a_seat_that_cannot_pay_an_assassin_lets_no_chance_go() {
        let assassin = Character::Assassin as usize;
        for lines in [
            "0 foreign-aid; 1 block duke; 2 pass; 0 pass; 1 income; 2 income; 0 income",
            "0 tax; 1 challenge; 0 lose captain; 1 income; 2 income; 0 income",
            "0 income; 1 steal 0; 2 pass; 0 pass; 2 income; 0 income",
        ] {
            assert!(!known(0, lines).silent[assassin], "{lines}");
        }
        for lines in [
            "0 foreign-aid; 1 pass; 2 pass; 1 income; 2 income; 0 income",
            "0 foreign-aid; 1 block duke; 2 challenge; 1 lose captain; 1 income; 2 income; 0 income",
            "0 income; 1 income; 2 income; 0 assassinate 1; 2 challenge; 0 lose duke; 1 income; \
             2 income; 0 income",
        ] {
            assert!(known(0, lines).silent[assassin], "{lines}");
        }
    }

    /// All coins at all turns, in games of legal moves.
    #[test]
    fn coins_are_those_of_the_rules() {
        for (seats, byte) in (2..=6).flat_map(|seats| (0..20).map(move |byte| (seats, byte))) {
            let options = format!("seats={seats} rules=court").parse().expect("options");
            let mut nature = BotSeed([byte; 8]).nature();
            let (mut game, mut reader) = (Coup::new(&options), Reader::new(seats));
            loop {
                let mut events = Vec::new();
                match game.turn() {
                    Turn::Over(_) => break,
                    Turn::Nature => {
                        let chance = game.sample(&mut nature).expect("a chance");
                        game.happen(&chance, &mut events).expect("a chance that can be");
                    }
                    Turn::Seat(_) => {
                        if let Some(rules::coup::Obligation::Act(_)) = game.current_debt() {
                            for seat in Seat::first(seats) {
                                let coins = reader.purses.at_turn(seat.index());
                                assert_eq!(coins, game.coins(seat), "{seats} seats, {byte}");
                            }
                        }
                        let mut legal = Vec::new();
                        let _ = game.legal_moves(&mut legal);
                        let mv = *nature.choose(&legal).expect("a move");
                        game.play(&mv, &mut events).expect("a legal move");
                    }
                }
                events.iter().for_each(|event| reader.observe(event));
            }
        }
    }
}
