//! The state of a game of Coup, its transitions and its running text.

use text::columns::{padded, widest};

use crate::coup::classic;
use crate::coup::hand::{Counts, Hand, SeenHand};
use crate::coup::notation::{Action, Chance, Event, IllegalMove, Move, View};
use crate::coup::obligation::Obligation;
use crate::coup::options::{CoupRules, Options};
use crate::dialect::{ClassicCall, Dialect, Strictness};
use crate::game::{Game, ImpossibleChance, ListCompleteness, Request, Turn};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::subject::SentenceSubject;

/// A state of a game of Coup.
///
/// ```
/// use rules::coup::{Coup, Options};
/// use rules::{Game, Seed, Turn};
///
/// let mut game = Coup::new(&Options::default());
/// let mut nature = Seed([0; 32]).nature(0);
/// let mut events = Vec::new();
/// while let Some(chance) = game.sample(&mut nature) {
///     game.happen(&chance, &mut events)?;
/// }
/// assert_eq!(events.len(), 2, "two hands");
/// assert!(matches!(game.turn(), Turn::Seat(seat) if seat.index() == 0));
/// # Ok::<(), rules::ImpossibleChance>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coup {
    pub(super) rules: CoupRules,
    pub(super) players: PerSeat<SeatState>,
    pub(super) action: Option<Action>,
    /// Debts of this turn, a stack: the last is due now. The first is always owed by
    /// the seat whose turn it is, and nothing is owed when the game is over.
    pub(super) owed: Vec<Obligation>,
    pub(super) decisions: u32,
}

/// Cards and coins of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeatState {
    pub(super) hand: Hand,
    pub(super) lost: Hand,
    pub(super) coins: u32,
}

/// The seat on the other side of a table for two.
pub(super) fn opponent(seat: Seat) -> Seat {
    Seat::first(2).find(|other| *other != seat).unwrap_or(seat)
}

/// Number of cards that a seat is dealt; it is gone when it has lost as many.
const DEALT: usize = 2;

impl Coup {
    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.players[seat].hand
    }

    /// The cards that a seat has lost, in the order in which it lost them.
    pub fn lost(&self, seat: Seat) -> Hand {
        self.players[seat].lost
    }

    /// The coins of a seat.
    pub fn coins(&self, seat: Seat) -> u32 {
        self.players[seat].coins
    }

    /// The current action.
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// Debts of this turn, the last first: the end of the list is due now.
    pub fn owed(&self) -> &[Obligation] {
        &self.owed
    }

    /// The debt due now; nothing when the game is over.
    pub fn current_debt(&self) -> Option<Obligation> {
        self.owed.last().copied()
    }

    /// Number of decisions made so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The cards in the deck, in no order: all that no seat holds or has lost.
    pub fn deck(&self) -> Counts {
        let players = self.players.values().iter();
        let out = players.flat_map(|player| player.hand.into_iter().chain(player.lost));
        Counts::PACK.without_all(out).unwrap_or_default()
    }

    /// The state that a seat's view and the hands of all seats make; `None` if they do not fit each
    /// other.
    ///
    /// A player that has an idea of what the other seats hold can so think in typed states.
    pub fn imagine(options: &Options, view: &View, hands: &PerSeat<Hand>) -> Option<Coup> {
        let counts = [hands.count(), view.hands.count(), view.coins.count(), view.lost.count()];
        let sizes = hands.map(|_, hand| hand.len() as u32);
        // What follows by itself follows before anyone is asked, so no view shows it on top.
        let rules = options.rules;
        let asks = view.owed.last().is_none_or(|debt| !debt.follows(rules));
        let seats = view.owed.iter().map(|debt| debt.seat());
        let mut seats = seats.chain(view.action.and_then(Action::target));
        let fits = counts == [options.seats(); 4]
            && sizes == view.hands
            && seats.all(|seat| hands.has(seat))
            && view.owed.iter().all(|debt| debt.is_of(rules))
            && asks;
        if !fits {
            return None;
        }
        let players = hands.map(|seat, hand| SeatState {
            hand: *hand,
            lost: view.lost[seat],
            coins: view.coins[seat],
        });
        let out = hands.values().iter().chain(view.lost.values());
        Counts::PACK.without_all(out.copied().flatten())?;
        let (action, owed) = (view.action, view.owed.clone());
        Some(Coup { rules, players, action, owed, decisions: view.decisions })
    }

    /// The one seat that has cards left.
    pub(super) fn winner(&self) -> Option<Seat> {
        let mut left = self.players.iter().filter(|(_, player)| !player.hand.is_empty());
        match (left.next(), left.next()) {
            (Some((seat, _)), None) => Some(seat),
            _ => None,
        }
    }

    /// Returns true if a seat has not lost all of its cards.
    pub fn is_in(&self, seat: Seat) -> bool {
        self.players[seat].lost.len() < DEALT
    }

    /// The other seats that are still in, in the order of turns from this one on.
    pub(super) fn others_from(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        let (before, after): (Vec<Seat>, Vec<Seat>) = self
            .players
            .seats()
            .filter(|other| *other != seat && self.is_in(*other))
            .partition(|other| *other < seat);
        after.into_iter().chain(before)
    }

    /// The cards that nature can draw for a debt.
    fn pool(&self, debt: Obligation) -> Counts {
        match (debt, self.rules) {
            // At a court the shown card goes back first, and may be drawn again.
            (Obligation::Replace(_, shown), CoupRules::Court(_)) => self.deck().with(shown),
            _ => self.deck(),
        }
    }

    /// The hand of a seat after the cards that nature owes it have come.
    fn hand_with(&self, debt: Obligation, cards: Hand) -> Option<Hand> {
        let hand = self.hand(debt.seat());
        match debt {
            // In the contest only now does the shown card go back: it cannot be the one that is drawn.
            Obligation::Replace(_, shown) => hand.without(shown)?.joined(cards),
            _ => cards.joined(hand),
        }
    }

    /// The debt of nature that is due, with the number of cards.
    fn due_of_nature(&self) -> Option<(Obligation, usize)> {
        self.current_debt().and_then(|debt| debt.cards().map(|count| (debt, count)))
    }
}

impl Game for Coup {
    const NAME: &'static str = "coup";
    const TITLE: &'static str = "Coup";
    const ABOUT: &'static str = "bluff and doubt: claim what you may not hold, and be believed";
    const MOST_POINTS: Option<i32> = Some(1);
    const OPTIONS: &'static str = "seats=2|3|4|5|6 rules=contest|court";
    const RULES: &'static str = include_str!("rules.txt");
    const DIALECTS: &'static [Dialect] = &Dialect::ALL;

    type Options = Options;
    type Move = Move;
    type Illegal = IllegalMove;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn dialects(options: &Options) -> &'static [Dialect] {
        match options.rules {
            CoupRules::Contest => Self::DIALECTS,
            CoupRules::Court(_) => &[Dialect::Native],
        }
    }

    fn new(options: &Options) -> Self {
        let seats = options.seats();
        let coins = |seat: Seat| match options.rules {
            CoupRules::Contest => 1,
            // Of two seats, the one that begins has a coin less.
            CoupRules::Court(_) if seats == 2 && seat.index() == 0 => 1,
            CoupRules::Court(_) => 2,
        };
        let player = |seat| SeatState { hand: Hand::EMPTY, lost: Hand::EMPTY, coins: coins(seat) };
        let first = Seat::first(1).map(Obligation::Act);
        let deals = Seat::first(seats).rev().map(Obligation::Deal);
        Coup {
            rules: options.rules,
            players: PerSeat::new(seats, player),
            action: None,
            owed: first.chain(deals).collect(),
            decisions: 0,
        }
    }

    fn seats(&self) -> usize {
        self.players.count()
    }

    fn turn(&self) -> Turn {
        match self.current_debt() {
            Some(debt) if debt.cards().is_some() => Turn::Nature,
            Some(debt) => Turn::Seat(debt.seat()),
            None => {
                let winner = self.winner();
                Turn::Over(self.players.map(|seat, _| match winner == Some(seat) {
                    true => Score::points(1),
                    false => Score::ZERO,
                }))
            }
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) -> ListCompleteness {
        self.list_moves(moves);
        ListCompleteness::Complete
    }

    fn check(&self, mv: &Move) -> Result<(), IllegalMove> {
        self.check_move(mv)
    }

    fn play(&mut self, mv: &Move, events: &mut Vec<Event>) -> Result<(), IllegalMove> {
        self.check_move(mv)?;
        self.decide(*mv, events);
        Ok(())
    }

    /// The only legal move, wherever there is only one.
    fn forced(&self) -> Option<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        match moves[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The first legal move that is neither a challenge nor a block: the house claims nothing and
    /// doubts no one. If it must launch a coup, the next seat is its target.
    fn fallback(&self) -> Option<Move> {
        let mut moves = Vec::new();
        self.list_moves(&mut moves);
        let idle = moves.into_iter().find(|mv| !matches!(mv, Move::Challenge | Move::Block(_)))?;
        let next = self.current_debt().and_then(|debt| self.others_from(debt.seat()).next());
        match (idle, next) {
            (Move::Act(Action::Coup(_)), Some(next)) => Some(Move::Act(Action::Coup(next))),
            _ => Some(idle),
        }
    }

    fn sample(&self, nature: &mut Nature) -> Option<Chance> {
        let (debt, count) = self.due_of_nature()?;
        let (to, cards) = (debt.seat(), self.pool(debt).draw(count, nature)?);
        Some(match debt {
            Obligation::Deal(_) => Chance::Deal { to, cards },
            _ => Chance::Draw { to, cards },
        })
    }

    fn happen(&mut self, chance: &Chance, events: &mut Vec<Event>) -> Result<(), ImpossibleChance> {
        let Some((debt, count)) = self.due_of_nature() else {
            return Err(ImpossibleChance("no cards are to be drawn".to_owned()));
        };
        let (event, to, cards) = match (*chance, debt) {
            (Chance::Deal { to, cards }, Obligation::Deal(_)) => {
                (Event::Deal { to, cards: SeenHand::Seen(cards) }, to, cards)
            }
            (Chance::Draw { to, cards }, Obligation::Draw(_) | Obligation::Replace(..)) => {
                (Event::Draw { to, cards: SeenHand::Seen(cards) }, to, cards)
            }
            _ => return Err(ImpossibleChance(format!("expected `{debt}`, found `{chance}`"))),
        };
        if to != debt.seat() || cards.len() != count {
            let seat = debt.seat();
            return Err(ImpossibleChance(format!(
                "expected {count} cards to {seat}, found `{chance}`"
            )));
        }
        if self.pool(debt).without_all(cards).is_none() {
            return Err(ImpossibleChance(format!("not all in the deck: {cards}")));
        }
        let Some(hand) = self.hand_with(debt, cards) else {
            return Err(ImpossibleChance(format!("seat {to} cannot hold {cards} too")));
        };
        self.owed.pop();
        self.players[to].hand = hand;
        events.push(event);
        Ok(())
    }

    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.players[seat].hand,
            hands: self.players.map(|_, player| player.hand.len() as u32),
            coins: self.players.map(|_, player| player.coins),
            lost: self.players.map(|_, player| player.lost),
            action: self.action,
            owed: self.owed.clone(),
            decisions: self.decisions,
        }
    }

    fn classic(request: &Request<Coup>) -> Option<Box<dyn ClassicCall>> {
        if !Self::dialects(&request.options).contains(&Dialect::Classic(Strictness::Strict)) {
            return None;
        }
        classic::ClassicCoupCall::new(request).map(|call| Box::new(call) as Box<dyn ClassicCall>)
    }

    fn contends(&self, seat: Seat) -> bool {
        self.is_in(seat)
    }

    fn walkover(&self, seat: Seat) -> Score {
        if self.is_in(seat) { Score::points(1) } else { Score::ZERO }
    }

    fn narrate(&self, event: &Event, names: &PerSeat<String>) -> String {
        self.tell(event, names)
    }
}

/// Width of a decision, so that the coins after it stand in line.
const MOVE_WIDTH: usize = 36;

impl Coup {
    /// An event in one line, decisions with the coins as they are after it.
    pub(super) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names.values());
        let narrator = |seat: Seat| SentenceSubject::new(&names[seat]);
        let line = |seat: Seat, told: &str| {
            format!("{}  {told}\n", padded(narrator(seat).subject(), width))
        };
        match event {
            Event::Deal { to, cards } => {
                line(*to, &format!("{} dealt {cards}", narrator(*to).verb("be")))
            }
            Event::Draw { to, cards } => {
                line(*to, &format!("{} {cards}", narrator(*to).verb("draw")))
            }
            Event::KeepUnseen { seat, .. } => {
                line(*seat, &self.with_coins(&move_text(&Move::End, narrator(*seat), names), names))
            }
            Event::Move { seat, mv } => {
                line(*seat, &self.with_coins(&move_text(mv, narrator(*seat), names), names))
            }
            Event::Lost { seat, card } => {
                line(*seat, &format!("{} {card} with it", narrator(*seat).verb("lose")))
            }
            Event::Winner(Some(seat)) => line(*seat, &narrator(*seat).verb("win")),
            Event::Winner(None) => "no one wins\n".to_owned(),
        }
    }

    fn with_coins(&self, told: &str, names: &PerSeat<String>) -> String {
        let coins = names.seats().map(|seat| self.coins(seat).to_string());
        format!("{told:MOVE_WIDTH$}  coins {}", coins.collect::<Vec<String>>().join(" "))
    }
}

fn move_text(mv: &Move, narrator: SentenceSubject<'_>, names: &PerSeat<String>) -> String {
    let verb = |infinitive| narrator.verb(infinitive);
    match mv {
        Move::Act(Action::Income) => format!("{} income", verb("take")),
        Move::Act(Action::ForeignAid) => format!("{} for foreign aid", verb("ask")),
        Move::Act(Action::Coup(seat)) => {
            format!("{} a coup against {}", verb("launch"), names[*seat])
        }
        Move::Act(Action::Tax) => format!("{} duke and {} tax", verb("claim"), verb("take")),
        Move::Act(Action::Assassinate(seat)) => {
            format!("{} assassin against {}", verb("claim"), names[*seat])
        }
        Move::Act(Action::Steal(seat)) => {
            format!("{} captain against {}", verb("claim"), names[*seat])
        }
        Move::Act(Action::Exchange) => format!("{} ambassador to exchange", verb("claim")),
        Move::Pass => format!("{} it pass", verb("let")),
        Move::Challenge => verb("challenge").into_owned(),
        Move::Block(character) => format!("{} {character} and {}", verb("claim"), verb("block")),
        Move::Show(character) => format!("{} {character}", verb("show")),
        Move::Lose(character) => format!("{} {character}", verb("lose")),
        Move::Keep(cards) => format!("{} {cards}", verb("keep")),
        Move::End => format!("{} the turn", verb("end")),
    }
}
