//! Looking ahead over what both sides may do and hold.

use rules::coup::{Action, Character, Counts};
use search::Clock;

use crate::coup::minimax::belief::{
    ActionStyle, Belief, ExcludedCards, Style, UnorderedHand, Weights, choices, exchanged,
    gives_up, legal_actions, replaced, ways,
};
use crate::coup::minimax::value::{HURRY, WinTable, WinTableKey};

/// A line that is less likely than this is not followed into the next turn.
const UNLIKELY: f64 = 0.002;

/// Factor by which the odds are better than by the [`WinTable`], which neither looks ahead nor learns
/// anything about the other side.
const SKILL: f64 = 3.0;

/// Factor by which they are better again against a side that acts at random.
const EASIER: f64 = 8.0;

/// Preference of the other side for the better of two actions: this factor for every 0.1 more
/// chance to win, as for [`WinTable`].
const PREFERENCE: f64 = 2.7;

/// Number of nodes between two looks at the clock.
const NODES_A_LOOK: u32 = 256;

pub struct Search<'a> {
    values: &'static WinTable,
    styles: [Style; Style::COUNT],
    chances: [f64; Style::COUNT],
    /// Probability that the other side acts at random.
    random: f64,
    clock: &'a mut dyn Clock,
    nodes: u32,
    is_up: bool,
}

impl<'a> Search<'a> {
    /// A search against another side that is believed to play like this.
    pub fn new(belief: &Belief, clock: &'a mut dyn Clock) -> Search<'a> {
        let styles = Style::all();
        let random = styles.iter().zip(belief.styles);
        let random = random.filter(|(style, _)| style.acting == ActionStyle::Random);
        Search {
            random: random.map(|(_, chance)| chance).sum(),
            values: WinTable::get(),
            styles,
            chances: belief.styles,
            clock,
            nodes: 0,
            is_up: false,
        }
    }

    /// Returns true if time was up, so that values mean nothing.
    pub fn was_cut(&self) -> bool {
        self.is_up
    }

    /// Value of a position before the turn of a side, looking `turns` turns ahead.
    pub fn value_before(&mut self, at: &BeliefState, side: SearchSide, turns: u32) -> f64 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_LOOK) {
            self.is_up = self.is_up || self.clock.is_up();
        }
        if self.is_up {
            return 0.0;
        }
        if turns == 0 || at.weight() < UNLIKELY {
            return self.static_value(at, side);
        }
        match side {
            SearchSide::Own => {
                let [coins, purse] = at.coins;
                let actions = legal_actions(coins, purse);
                actions.map(|action| self.act(at, action, turns)).fold(0.0, f64::max)
            }
            SearchSide::Other => self.other_turn(at, turns),
        }
    }

    fn static_value(&self, at: &BeliefState, side: SearchSide) -> f64 {
        let [coins, purse] = at.coins;
        let own = at.own;
        let of = |(other, weight): (UnorderedHand, &f64)| {
            let chance = match side {
                SearchSide::Own => self.values.rate(WinTableKey { own, other, coins, purse }),
                SearchSide::Other => {
                    let sides = WinTableKey { own: other, other: own, coins: purse, purse: coins };
                    1.0 - self.values.rate(sides)
                }
            };
            let chance = better(chance, SKILL);
            weight * (chance + self.random * (better(chance, EASIER) - chance))
        };
        at.holdings().map(of).sum()
    }

    /// The other side chooses its action by its cards, its style, and what it comes to.
    fn other_turn(&mut self, at: &BeliefState, turns: u32) -> f64 {
        let [purse, coins] = at.coins;
        let actions: Vec<Action> = legal_actions(coins, purse).collect();
        let mut split = vec![[0.0; UnorderedHand::COUNT]; actions.len()];
        for (holding, weight) in at.holdings() {
            let sides = WinTableKey { own: holding, other: at.own, coins, purse };
            let good =
                |action: &Action| PREFERENCE.powf(10.0 * self.values.of_action(sides, *action));
            let good: Vec<f64> = actions.iter().map(good).collect();
            for (style, chance) in self.styles.iter().zip(self.chances) {
                let looks = |(action, good): (&Action, &f64)| match style.acting {
                    ActionStyle::Random => 1.0,
                    acting => good * acting.weight(*action, holding, purse),
                };
                let looks: Vec<f64> = actions.iter().zip(&good).map(looks).collect();
                let all: f64 = looks.iter().sum();
                for (looks, hands) in looks.iter().zip(&mut split) {
                    hands[holding.index()] += weight * chance * looks / all;
                }
            }
        }
        let branches = actions.iter().zip(split);
        branches.map(|(action, hands)| self.other_acts(&at.with(hands), *action, turns)).sum()
    }

    pub fn act(&mut self, at: &BeliefState, action: Action, turns: u32) -> f64 {
        let turn = TurnAction { actor: SearchSide::Own, action, turns };
        match action {
            Action::Income => return self.run(at, turn, &[TurnStep::Done]),
            Action::Coup(_) => {
                return self.run(at, turn, &[TurnStep::Lose(SearchSide::Other), TurnStep::Done]);
            }
            _ => {}
        }
        let out = at.out();
        let (mut pass, mut challenge) = ([0.0; UnorderedHand::COUNT], [0.0; UnorderedHand::COUNT]);
        let mut block = [[0.0; UnorderedHand::COUNT]; 2];
        for (holding, weight) in at.holdings() {
            let unseen = action.claim().map_or(0, |claim| out.unseen_by(holding, claim));
            for (style, chance) in self.styles.iter().zip(self.chances) {
                let answers = style.answering.answers(action, unseen, holding);
                let (place, weight) = (holding.index(), weight * chance);
                pass[place] += weight * answers.pass;
                challenge[place] += weight * answers.challenge;
                block[0][place] += weight * answers.block[0];
                block[1][place] += weight * answers.block[1];
            }
        }
        let deadly = matches!(action, Action::Assassinate(_));
        let passed: &[TurnStep] = if deadly {
            &[TurnStep::Lose(SearchSide::Other), TurnStep::Done]
        } else {
            &[TurnStep::Done]
        };
        let mut value = self.run(&at.with(pass), turn, passed);
        if let Some(claim) = action.claim() {
            value += self.challenged(&at.with(challenge), turn, claim);
        }
        for (card, hands) in action.blockers().iter().zip(block) {
            value += self.answer_block(&at.with(hands), turn, *card);
        }
        value
    }

    /// The own side accepts or challenges a block, whichever is better.
    fn answer_block(&mut self, at: &BeliefState, turn: TurnAction, card: Character) -> f64 {
        let accepted = self.run(at, turn, &[TurnStep::Blocked]);
        accepted.max(self.challenge_block(at, turn, card))
    }

    pub fn challenge_block(&mut self, at: &BeliefState, turn: TurnAction, card: Character) -> f64 {
        let (there, missing) = at.split(card);
        let shown = [
            TurnStep::Replace(SearchSide::Other, card),
            TurnStep::Lose(SearchSide::Own),
            TurnStep::Blocked,
        ];
        self.run(&there, turn, &shown) + self.run(&missing, turn, fallen(turn))
    }

    /// The other side challenges what the own side claims to hold for its action.
    fn challenged(&mut self, at: &BeliefState, turn: TurnAction, claim: Character) -> f64 {
        match at.own.contains(claim) {
            true => self.run(at, turn, &proven(turn, claim)),
            false => self.run(at, turn, &[TurnStep::Lose(SearchSide::Own), TurnStep::Undone]),
        }
    }

    /// The other side acts, and the own side answers in the best way.
    fn other_acts(&mut self, at: &BeliefState, action: Action, turns: u32) -> f64 {
        let turn = TurnAction { actor: SearchSide::Other, action, turns };
        let mut value = self.let_pass(at, turn);
        if action.claim().is_some() {
            value = value.max(self.challenge(at, turn));
        }
        for card in action.blockers() {
            value = value.max(self.block(at, turn, *card));
        }
        value
    }

    /// The own side lets an action pass, which may cost it a card.
    pub fn let_pass(&mut self, at: &BeliefState, turn: TurnAction) -> f64 {
        match turn.action {
            Action::Coup(_) | Action::Assassinate(_) => {
                self.run(at, turn, &[TurnStep::Lose(SearchSide::Own), TurnStep::Done])
            }
            _ => self.run(at, turn, &[TurnStep::Done]),
        }
    }

    pub fn challenge(&mut self, at: &BeliefState, turn: TurnAction) -> f64 {
        let Some(claim) = turn.action.claim() else { return 0.0 };
        let (there, missing) = at.split(claim);
        self.run(&there, turn, &proven(turn, claim))
            + self.run(&missing, turn, &[TurnStep::Lose(SearchSide::Other), TurnStep::Undone])
    }

    pub fn block(&mut self, at: &BeliefState, turn: TurnAction, card: Character) -> f64 {
        let out = at.out();
        let (mut accept, mut doubt) = ([0.0; UnorderedHand::COUNT], [0.0; UnorderedHand::COUNT]);
        for (holding, weight) in at.holdings() {
            let unseen = out.unseen_by(holding, card);
            for (style, chance) in self.styles.iter().zip(self.chances) {
                let doubts = style.answering.doubt(unseen);
                accept[holding.index()] += weight * chance * (1.0 - doubts);
                doubt[holding.index()] += weight * chance * doubts;
            }
        }
        let shown = [
            TurnStep::Replace(SearchSide::Own, card),
            TurnStep::Lose(SearchSide::Other),
            TurnStep::Blocked,
        ];
        let doubted = if at.own.contains(card) { &shown[..] } else { fallen(turn) };
        self.run(&at.with(accept), turn, &[TurnStep::Blocked])
            + self.run(&at.with(doubt), turn, doubted)
    }

    /// Value of a position with these steps to come.
    pub fn run(&mut self, at: &BeliefState, turn: TurnAction, steps: &[TurnStep]) -> f64 {
        if at.weight() == 0.0 {
            return 0.0;
        }
        let Some((step, rest)) = steps.split_first() else { return 0.0 };
        match *step {
            TurnStep::Lose(SearchSide::Own) => {
                let left =
                    at.own.different().filter_map(|card| Some((card, at.own.without(card)?)));
                let lose = |(card, own): (Character, UnorderedHand)| {
                    let at = BeliefState { own, lost: at.lost.with(card), ..*at };
                    self.run(&at, turn, rest)
                };
                left.map(lose).fold(0.0, f64::max)
            }
            TurnStep::Lose(SearchSide::Other) => self.other_loses(at, turn, rest),
            TurnStep::Replace(SearchSide::Own, shown) => self.own_replaces(at, turn, shown, rest),
            TurnStep::Replace(SearchSide::Other, shown) => {
                let at = at.with(replaced(&at.hands, &at.out(), shown));
                self.run(&at, turn, rest)
            }
            TurnStep::Done => self.carry_out(at, turn),
            TurnStep::Blocked => self.next(&at.paid(turn), turn),
            TurnStep::Undone => self.next(at, turn),
        }
    }

    fn other_loses(&mut self, at: &BeliefState, turn: TurnAction, rest: &[TurnStep]) -> f64 {
        let mut value = 0.0;
        let mut left = [[0.0; UnorderedHand::COUNT]; Character::ALL.len()];
        for (holding, weight) in at.holdings() {
            if holding.size() == 1 {
                value += weight;
            }
            for card in holding.different() {
                if let Some(holds) = holding.without(card) {
                    left[card as usize][holds.index()] += weight * gives_up(holding, card);
                }
            }
        }
        for (card, hands) in Character::ALL.into_iter().zip(left) {
            let at = BeliefState { lost: at.lost.with(card), hands, ..*at };
            value += self.run(&at, turn, rest);
        }
        value
    }

    fn own_replaces(
        &mut self,
        at: &BeliefState,
        turn: TurnAction,
        shown: Character,
        rest: &[TurnStep],
    ) -> f64 {
        let out = at.out();
        let mut value = 0.0;
        for card in Character::ALL {
            let mut hands = [0.0; UnorderedHand::COUNT];
            for (holding, weight) in at.holdings() {
                let size = out.size(holding);
                hands[holding.index()] = weight * out.deck(holding, card) / size;
            }
            let own = at.own.replacing(shown, card);
            value += self.run(&BeliefState { own, hands, ..*at }, turn, rest);
        }
        value
    }

    /// The action brings what it brings, and is paid.
    fn carry_out(&mut self, at: &BeliefState, turn: TurnAction) -> f64 {
        let mut at = at.paid(turn);
        let (gainer, loser) = match turn.actor {
            SearchSide::Own => (0, 1),
            SearchSide::Other => (1, 0),
        };
        let gain = turn.action.brings(at.coins[loser]);
        at.coins[gainer] += gain;
        match (turn.action, turn.actor) {
            (Action::Steal(_), _) => at.coins[loser] -= gain,
            (Action::Exchange, SearchSide::Own) => return self.exchange(&at, turn),
            (Action::Exchange, SearchSide::Other) => at = at.with(exchanged(&at.hands, &at.out())),
            _ => {}
        }
        self.next(&at, turn)
    }

    /// The own side draws two cards and keeps what looks best without looking ahead.
    fn exchange(&mut self, at: &BeliefState, turn: TurnAction) -> f64 {
        let out = at.out();
        let mut value = 0.0;
        for drawn in UnorderedHand::of_size(2) {
            let mut hands = [0.0; UnorderedHand::COUNT];
            for (holding, weight) in at.holdings() {
                let size = out.size(holding);
                let ways = ways(drawn, |card| out.deck(holding, card));
                hands[holding.index()] = weight * ways / (size * (size - 1.0)).max(1.0);
            }
            let at = at.with(hands);
            if at.weight() == 0.0 {
                continue;
            }
            let cards = [drawn.cards(), at.own.cards()].concat();
            let kept = choices(&cards, at.own.size()).into_iter().map(|own| at.holding(own));
            let looks = |at: BeliefState| (self.static_value(&at, SearchSide::Other), at);
            let best = kept.map(looks).max_by(|(one, _), (other, _)| one.total_cmp(other));
            if let Some((_, at)) = best {
                value += self.next(&at, turn);
            }
        }
        value
    }

    fn next(&mut self, at: &BeliefState, turn: TurnAction) -> f64 {
        let value = self.value_before(at, turn.actor.opposite(), turn.turns.saturating_sub(1));
        let even = 0.5 * at.weight();
        even + HURRY * (value - even)
    }
}

/// A chance to win where the odds are better by a factor.
fn better(chance: f64, times: f64) -> f64 {
    times * chance / (times * chance + 1.0 - chance)
}

/// A position as the side that searches knows it.
///
/// Every other holding has a weight. Weights are not made to sum to 1 again on the way, so that
/// what is left of them says how likely the line is, and values of branches can be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefState {
    pub own: UnorderedHand,
    pub lost: Counts,
    /// Its own coins and those of the other side.
    pub coins: [u32; 2],
    /// Joint probability of each holding of the other side and all that has happened.
    pub hands: Weights,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchSide {
    Own,
    Other,
}

impl SearchSide {
    pub fn opposite(self) -> SearchSide {
        match self {
            SearchSide::Own => SearchSide::Other,
            SearchSide::Other => SearchSide::Own,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnAction {
    pub actor: SearchSide,
    pub action: Action,
    /// Number of turns that the search looks ahead, this one included.
    pub turns: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnStep {
    Lose(SearchSide),
    /// A side draws a card for this one, which it has shown.
    Replace(SearchSide, Character),
    /// The turn ends, and the action is done.
    Done,
    /// The turn ends, and the action was blocked.
    Blocked,
    /// The turn ends, and the action is undone, as if it had not been begun.
    Undone,
}

impl BeliefState {
    /// Probability of the line that led here.
    pub fn weight(&self) -> f64 {
        self.hands.iter().sum()
    }

    /// The holdings that the other side may have, with their weights.
    pub fn holdings(&self) -> impl Iterator<Item = (UnorderedHand, &f64)> {
        UnorderedHand::all().zip(&self.hands).filter(|(_, weight)| **weight > 0.0)
    }

    /// The cards that are neither in the deck nor in the other hand.
    pub fn out(&self) -> ExcludedCards {
        ExcludedCards { own: self.own.cards().iter().copied().collect(), lost: self.lost }
    }

    pub fn holding(&self, own: UnorderedHand) -> BeliefState {
        BeliefState { own, ..*self }
    }

    pub fn with(&self, hands: Weights) -> BeliefState {
        BeliefState { hands, ..*self }
    }

    /// The position where the other side has this card, and that where it has not.
    pub fn split(&self, card: Character) -> (BeliefState, BeliefState) {
        let (mut there, mut missing) = (*self, *self);
        for holding in UnorderedHand::all() {
            let gone = if holding.contains(card) { &mut missing } else { &mut there };
            gone.hands[holding.index()] = 0.0;
        }
        (there, missing)
    }

    pub fn paid(&self, turn: TurnAction) -> BeliefState {
        let mut after = *self;
        let purse = match turn.actor {
            SearchSide::Own => &mut after.coins[0],
            SearchSide::Other => &mut after.coins[1],
        };
        *purse = purse.saturating_sub(turn.action.cost());
        after
    }
}

/// Steps after a challenge to an action whose claim is true.
pub fn proven(turn: TurnAction, claim: Character) -> Vec<TurnStep> {
    let challenger = turn.actor.opposite();
    // An ambassador shown for an exchange stays in the hand.
    let replaced = turn.action != Action::Exchange;
    let deadly = matches!(turn.action, Action::Assassinate(_));
    let mut steps = Vec::with_capacity(4);
    steps.extend(replaced.then_some(TurnStep::Replace(turn.actor, claim)));
    steps.push(TurnStep::Lose(challenger));
    steps.extend(deadly.then_some(TurnStep::Lose(challenger)));
    steps.push(TurnStep::Done);
    steps
}

/// Steps after a challenge to a false block: the card that was claimed, and what was blocked.
pub fn fallen(turn: TurnAction) -> &'static [TurnStep] {
    match (turn.action, turn.actor) {
        (Action::Assassinate(_), SearchSide::Own) => {
            &[TurnStep::Lose(SearchSide::Other), TurnStep::Lose(SearchSide::Other), TurnStep::Done]
        }
        (Action::Assassinate(_), SearchSide::Other) => {
            &[TurnStep::Lose(SearchSide::Own), TurnStep::Lose(SearchSide::Own), TurnStep::Done]
        }
        (_, SearchSide::Own) => &[TurnStep::Lose(SearchSide::Other), TurnStep::Done],
        (_, SearchSide::Other) => &[TurnStep::Lose(SearchSide::Own), TurnStep::Done],
    }
}
