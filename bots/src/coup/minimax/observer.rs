//! Follows a game from one seat, and reads out of it what the other side may hold and how it plays.
//!
//! Every holding is carried along under every [`Style`], or another model of how the other side
//! plays, with a weight. What the other side claims, believes, challenges and gives up is likelier
//! with some cards and in some styles than with others, and multiplies the weights.
//!
//! [`possible_hands`] follows the cards alone, exactly and for
//! everybody; this guesses more out of the same events, by what it assumes of players. Where nobody
//! can play as the history says, a belief falls back on the former.

use rules::coup::{Action, Character, Counts, Coup, Event, Move, SeenHand, possible_hands};
use rules::{Request, Seat};

use crate::coup::minimax::belief::{
    AnswerChances, Belief, ExcludedCards, Style, UnorderedHand, Weights, exchanged, gives_up,
    legal_actions, replaced, ways,
};

/// Follows a game from one seat, under a number of models of the other side.
#[derive(Debug)]
pub struct Observer<M> {
    seat: Seat,
    out: ExcludedCards,
    worlds: Vec<WeightedModel<M>>,
    /// The coins of this seat and of the other.
    coins: [u32; 2],
    turn: Option<ObservedTurn>,
    /// The claim that was challenged and is not settled.
    challenged: Option<(Seat, Character)>,
    /// The card that was shown last.
    shown: Option<Character>,
}

/// A model of the other side, with its probability together with each holding.
#[derive(Debug)]
pub struct WeightedModel<M> {
    pub model: M,
    /// Probability of the model before anything is known of it.
    pub chance: f64,
    /// Joint probability of each holding and the model.
    pub hands: Weights,
}

#[derive(Debug, Clone, Copy)]
struct ObservedTurn {
    actor: Seat,
    action: Action,
    /// True if the action was answered.
    answered: bool,
    block: Option<(Seat, Character)>,
    state: ActionState,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ActionState {
    Open,
    Blocked,
    Undone,
}

impl Belief {
    /// Reads a request; `None` if its history fits no game.
    pub fn read(request: &Request<Coup>) -> Option<Belief> {
        let events = request.events();
        let seat = request.heading.seat;
        let mut observer = Observer::of_styles(seat);
        events.iter().for_each(|event| observer.observe(event));
        observer.belief().or_else(|| {
            // It has done what no style would; its cards are what they can be.
            let mut hands = [0.0; UnorderedHand::COUNT];
            for (hand, chance) in possible_hands(seat, &events) {
                hands[UnorderedHand::new(hand)?.index()] += chance;
            }
            let styles = Style::all().map(|style| style.chance);
            hands.iter().any(|chance| *chance > 0.0).then_some(Belief { hands, styles })
        })
    }
}

impl Observer<Style> {
    /// An observer that takes every style to be possible.
    pub(super) fn of_styles(seat: Seat) -> Observer<Style> {
        Observer::new(seat, Style::all().map(|style| (style, style.chance)))
    }

    /// Belief about the cards and the style of the other side; `None` if all weights are gone.
    pub(super) fn belief(&self) -> Option<Belief> {
        let mut belief = Belief { hands: [0.0; UnorderedHand::COUNT], styles: [0.0; Style::COUNT] };
        for (WeightedModel { hands, .. }, style) in self.worlds.iter().zip(&mut belief.styles) {
            *style = hands.iter().sum();
            belief.hands.iter_mut().zip(hands).for_each(|(sum, weight)| *sum += weight);
        }
        let all: f64 = belief.styles.iter().sum();
        belief.hands.iter_mut().chain(&mut belief.styles).for_each(|weight| *weight /= all);
        (all > 0.0).then_some(belief)
    }

    pub(super) fn observe(&mut self, event: &Event) {
        if let Event::Move { seat, mv } = *event {
            self.judge(seat, mv);
        }
        if let Event::Move { seat, mv: Move::Lose(card) } | Event::Lost { seat, card } = *event
            && seat != self.seat
        {
            self.weigh(|_, holding| gives_up(holding, card));
        }
        self.apply(event);
    }

    /// Weighs the decision of the other side: how likely it is with each holding in each style.
    fn judge(&mut self, seat: Seat, mv: Move) {
        if seat == self.seat {
            return;
        }
        let (out, [purse, coins]) = (self.out, self.settled());
        let unseen = move |card, holding| out.unseen_by(holding, card);
        match (mv, self.turn) {
            (Move::Act(action), _) => {
                let all = legal_actions(coins, purse);
                self.weigh(|style, holding| {
                    let weight = |action| style.acting.weight(action, holding, purse);
                    weight(action) / all.clone().map(weight).sum::<f64>().max(1e-9)
                });
            }
            (
                _,
                Some(ObservedTurn {
                    block: Some((by, block)), state: ActionState::Blocked, ..
                }),
            ) if by == self.seat && matches!(mv, Move::Pass | Move::Challenge) => {
                self.weigh(|style, holding| {
                    let doubt = style.answering.doubt(unseen(block, holding));
                    if mv == Move::Challenge { doubt } else { 1.0 - doubt }
                });
            }
            (_, Some(ObservedTurn { actor, action, answered: false, .. }))
                if actor == self.seat =>
            {
                // A coup has no answer.
                if matches!(action, Action::Coup(_)) {
                    return;
                }
                let blockers = action.blockers();
                self.weigh(|style, holding| {
                    let unseen = action.claim().map_or(0, |claim| unseen(claim, holding));
                    let AnswerChances { pass, challenge, block } =
                        style.answering.answers(action, unseen, holding);
                    match mv {
                        Move::Challenge => challenge,
                        Move::Block(card) => {
                            let place = blockers.iter().position(|other| *other == card);
                            place.map_or(0.0, |place| block[place])
                        }
                        _ => pass,
                    }
                });
            }
            _ => {}
        }
    }
}

impl<M> Observer<M> {
    /// An observer that takes these models to be possible, each with its chance.
    pub fn new(seat: Seat, models: impl IntoIterator<Item = (M, f64)>) -> Observer<M> {
        let worlds = models.into_iter();
        let hands = [0.0; UnorderedHand::COUNT];
        Observer {
            seat,
            out: ExcludedCards { own: Counts::NONE, lost: Counts::NONE },
            worlds: worlds.map(|(model, chance)| WeightedModel { model, chance, hands }).collect(),
            coins: [1, 1],
            turn: None,
            challenged: None,
            shown: None,
        }
    }

    pub fn worlds(&self) -> &[WeightedModel<M>] {
        &self.worlds
    }

    pub fn own(&self) -> Counts {
        self.out.own
    }

    /// Does to cards and coins what an event does, under every model.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Deal { to, cards: SeenHand::Seen(cards) }
            | Event::Draw { to, cards: SeenHand::Seen(cards) }
                if to == self.seat =>
            {
                cards.into_iter().for_each(|card| self.draw(card));
                if let (1, Some(shown)) = (cards.len(), self.shown.take()) {
                    self.out.own = self.out.own.without(shown).unwrap_or(self.out.own);
                }
            }
            Event::Deal { .. } => self.deal(),
            Event::Draw { cards, .. } => {
                if let (1, Some(shown)) = (cards.len(), self.shown.take()) {
                    let out = self.out;
                    self.change(|hands| replaced(hands, &out, shown));
                }
            }
            Event::Move { seat, mv } => self.follow(seat, mv),
            Event::KeepUnseen { .. } => {
                let out = self.out;
                self.change(|hands| exchanged(hands, &out));
            }
            Event::Lost { seat, card } => self.lose(seat, card),
            Event::Winner(_) => {}
        }
        self.normalise();
    }

    fn deal(&mut self) {
        let out = self.out;
        for WeightedModel { chance, hands, .. } in &mut self.worlds {
            for dealt in UnorderedHand::of_size(2) {
                let count =
                    |card| f64::from(Counts::PACK.count(card).saturating_sub(out.own.count(card)));
                hands[dealt.index()] = *chance * ways(dealt, count);
            }
        }
    }

    /// This seat draws a card: the more of them are in the deck, the likelier.
    fn draw(&mut self, card: Character) {
        let out = self.out;
        self.weigh(|_, holding| out.deck(holding, card));
        self.out.own = self.out.own.with(card);
    }

    fn follow(&mut self, seat: Seat, mv: Move) {
        match mv {
            Move::Act(action) => {
                self.coins = self.settled();
                let state = ActionState::Open;
                self.turn =
                    Some(ObservedTurn { actor: seat, action, answered: false, block: None, state });
                self.challenged = None;
            }
            Move::Pass => {}
            Move::Challenge => {
                let turn = self.turn;
                let of_action = turn.and_then(|turn| Some((turn.actor, turn.action.claim()?)));
                self.challenged = turn.and_then(|turn| turn.block).or(of_action);
            }
            Move::Block(card) => self.with_turn(|turn| {
                turn.block = Some((seat, card));
                turn.state = ActionState::Blocked;
            }),
            Move::Show(card) => {
                self.challenged = None;
                if seat != self.seat {
                    self.weigh(|_, holding| f64::from(u8::from(holding.contains(card))));
                }
                self.shown = Some(card);
            }
            Move::Lose(card) => {
                if let Some((by, claim)) = self.challenged.take() {
                    if seat != self.seat {
                        self.weigh(|_, holding| f64::from(u8::from(!holding.contains(claim))));
                    }
                    self.with_turn(|turn| {
                        turn.state =
                            if by == turn.actor { ActionState::Undone } else { ActionState::Open };
                    });
                }
                self.lose(seat, card);
            }
            Move::Keep(cards) => self.out.own = cards.into_iter().collect(),
            Move::End => {}
        }
        let is_answer = !matches!(mv, Move::Act(_));
        self.with_turn(|turn| turn.answered |= is_answer);
    }

    fn with_turn(&mut self, change: impl FnMut(&mut ObservedTurn)) {
        self.turn.as_mut().into_iter().for_each(change);
    }

    /// The coins after the turn so far, this seat's first.
    fn settled(&self) -> [u32; 2] {
        let [mut own, mut other] = self.coins;
        let Some(ObservedTurn { actor, action, state, .. }) = self.turn else { return self.coins };
        let (mine, theirs) = match actor == self.seat {
            true => (&mut own, &mut other),
            false => (&mut other, &mut own),
        };
        if state != ActionState::Undone {
            *mine = mine.saturating_sub(action.cost());
        }
        if state == ActionState::Open {
            let gain = action.brings(*theirs);
            *mine = mine.saturating_add(gain);
            if let Action::Steal(_) = action {
                *theirs -= gain;
            }
        }
        [own, other]
    }

    fn lose(&mut self, seat: Seat, card: Character) {
        if seat == self.seat {
            self.out.own = self.out.own.without(card).unwrap_or(self.out.own);
        } else {
            self.change(|hands| {
                let mut after = [0.0; UnorderedHand::COUNT];
                for holding in UnorderedHand::of_size(2) {
                    if let Some(left) = holding.without(card) {
                        after[left.index()] += hands[holding.index()];
                    }
                }
                after
            });
        }
        self.out.lost = self.out.lost.with(card);
    }

    /// Multiplies the weight of each holding under each model.
    pub fn weigh(&mut self, likely: impl Fn(&M, UnorderedHand) -> f64) {
        for WeightedModel { model, hands, .. } in &mut self.worlds {
            for (holding, weight) in UnorderedHand::all().zip(hands) {
                if *weight > 0.0 {
                    *weight *= likely(model, holding);
                }
            }
        }
    }

    fn change(&mut self, change: impl Fn(&Weights) -> Weights) {
        self.worlds.iter_mut().for_each(|world| world.hands = change(&world.hands));
    }

    fn normalise(&mut self) {
        let all: f64 = self.worlds.iter().flat_map(|world| &world.hands).sum();
        if all > 0.0 {
            let weights = self.worlds.iter_mut().flat_map(|world| &mut world.hands);
            weights.for_each(|weight| *weight /= all);
        }
    }
}
