//! An episode of one game, typed from end to end.

use std::fmt::Display;

use bots::programs::typed_player;
use rules::{
    Entry, GameKind, GameRecord, GameTerms, ListCompleteness, Nature, PerSeat, Request,
    RequestHeading, Score, Seat, Secret, Turn, seen_by,
};
use simulation::{SeatSession, TIME};

use crate::columns::{Learnable, NameCollector, RowWriter};
use crate::episode::{
    Deal, Episode, EpisodeError, FinishedGame, Layout, NOT_OF_A_DEAL, NOT_OVER, Opponent, RowBuffer,
};

/// A game, played on until a seat is to move that no built-in player has, or it is over.
pub(crate) struct TypedEpisode<G: Learnable> {
    options: G::Options,
    game: G,
    deal: Deal,
    nature: Nature,
    events: Vec<G::Event>,
    memory: G::Memory,
    /// The number of events that the memory has seen.
    remembered: usize,
    /// The moves of seats that were to move, in order.
    moves: Vec<G::Move>,
    /// The number of moves, those that the rules force included.
    number: u32,
    turn: Option<Seat>,
    scores: Option<PerSeat<Score>>,
    legal: Vec<G::Move>,
    listing: ListCompleteness,
    /// The number of each legal move among the actions.
    actions: Vec<u16>,
    /// The seat for which hidden cards were drawn, if they were.
    drawn_for: Option<Seat>,
    opponent: Option<Opponent>,
    /// The players of the opponent by seat; the learner's seat has none.
    sitting: Vec<Option<SeatSession<G>>>,
}

impl<G: Learnable> TypedEpisode<G> {
    pub(crate) fn new(options: &str, deal: Deal) -> Result<TypedEpisode<G>, EpisodeError> {
        let options: G::Options = options.parse()?;
        let mut episode = TypedEpisode {
            game: G::new(&options),
            nature: deal.seed.nature(deal.number),
            memory: G::memory(&options),
            options,
            deal,
            events: Vec::new(),
            remembered: 0,
            moves: Vec::new(),
            number: 0,
            turn: None,
            scores: None,
            legal: Vec::new(),
            listing: ListCompleteness::Complete,
            actions: Vec::new(),
            drawn_for: None,
            opponent: None,
            sitting: Vec::new(),
        };
        episode.settle();
        Ok(episode)
    }

    /// Goes on with an episode that has just begun, against an opponent, by these moves of all seats.
    pub(crate) fn against(
        mut self,
        opponent: &Opponent,
        moves: &[String],
    ) -> Result<Self, EpisodeError> {
        let seats = self.game.seats();
        if let Some(seat) = opponent.learner.filter(|seat| *seat >= seats) {
            return Err(EpisodeError(format!("seat {seat}, expected one from 0 to {}", seats - 1)));
        }
        if let Some(problem) = G::refusal(&opponent.program, &self.options) {
            return Err(EpisodeError::of_player(&opponent.program, problem));
        }
        self.opponent = Some(opponent.clone());
        self.sit_down()?;
        moves.iter().try_for_each(|mv| self.replay(mv))?;
        self.answer()?;
        Ok(self)
    }

    /// New players of the opponent take their seats.
    fn sit_down(&mut self) -> Result<(), EpisodeError> {
        let Some(Opponent { program, options, learner }) = &self.opponent else { return Ok(()) };
        let (seats, terms) = (self.game.seats(), self.terms());
        let learner = learner.unwrap_or((self.deal.number % seats as u64) as usize);
        self.sitting = Seat::first(seats)
            .map(|seat| {
                if seat.index() == learner {
                    return Ok(None);
                }
                let player = typed_player::<G>(program, options)
                    .map_err(|problem| EpisodeError::of_player(program, problem))?;
                Ok(Some(SeatSession::new(seat, player, &self.game, &self.options, &terms)))
            })
            .collect::<Result<_, EpisodeError>>()?;
        Ok(())
    }

    /// Lets the players of the opponent move until the learner is to move or the game is over.
    fn answer(&mut self) -> Result<(), EpisodeError> {
        while let Some((seat, Opponent { program, .. })) = self.turn.zip(self.opponent.as_ref()) {
            let Some(mut sitting) = self.sitting.get_mut(seat.index()).and_then(Option::take)
            else {
                break;
            };
            let seed = self.terms().bot_seeds.seed(seat, self.number);
            let stuck = |problem: &dyn Display| EpisodeError::of_player(program, problem);
            let asked = sitting.ask(&self.game, self.number, seed, &self.events);
            self.sitting[seat.index()] = Some(sitting);
            let mv = asked.map_err(|none| stuck(&none))?;
            if let Err(illegal) = self.game.check(&mv) {
                return Err(stuck(&format_args!("played `{mv}`: {illegal}")));
            }
            self.play(mv);
        }
        Ok(())
    }

    /// The same game without players.
    fn alone(&self) -> TypedEpisode<G> {
        TypedEpisode {
            options: self.options.clone(),
            game: self.game.clone(),
            deal: self.deal.clone(),
            nature: self.nature.clone(),
            events: self.events.clone(),
            memory: self.memory.clone(),
            remembered: self.remembered,
            moves: self.moves.clone(),
            number: self.number,
            turn: self.turn,
            scores: self.scores.clone(),
            legal: self.legal.clone(),
            listing: self.listing,
            actions: self.actions.clone(),
            drawn_for: self.drawn_for,
            opponent: None,
            sitting: Vec::new(),
        }
    }

    /// The terms of the game that requests tell.
    fn terms(&self) -> GameTerms {
        let Deal { seed, number } = &self.deal;
        GameTerms::even(seed.name(*number), self.game.seats(), TIME, seed.bots(*number))
    }

    fn play(&mut self, mv: G::Move) {
        if self.game.play(&mv, &mut self.events).is_ok() {
            self.moves.push(mv);
            self.number += 1;
        }
        self.settle();
    }

    /// Lets nature and the rules play until a seat is to move or the game is over.
    fn settle(&mut self) {
        (self.turn, self.scores) = (None, None);
        loop {
            match self.game.turn() {
                Turn::Over(scores) => {
                    self.scores = Some(scores);
                    break;
                }
                Turn::Nature => {
                    let chance = self.game.sample(&mut self.nature);
                    let happened = chance.map(|chance| self.game.happen(&chance, &mut self.events));
                    // Nature always has something to decide, and what it draws can be.
                    if !matches!(happened, Some(Ok(()))) {
                        break;
                    }
                }
                Turn::Seat(seat) => match self.game.forced() {
                    Some(mv) if self.game.play(&mv, &mut self.events).is_ok() => self.number += 1,
                    _ => {
                        self.turn = Some(seat);
                        break;
                    }
                },
            }
        }
        for event in &self.events[self.remembered..] {
            // What is remembered is shown to all seats.
            let public = match event.owner() {
                None => Some(event.clone()),
                Some(_) => event.public(),
            };
            public.iter().for_each(|event| G::remember(&mut self.memory, event));
        }
        self.remembered = self.events.len();
        self.list_moves();
    }

    fn list_moves(&mut self) {
        self.legal.clear();
        self.actions.clear();
        let Some(seat) = self.turn else { return };
        self.listing = self.game.legal_moves(&mut self.legal);
        let legal = self.legal.iter().enumerate();
        let number = |(place, mv)| G::action(&self.game, seat, mv, place) as u16;
        self.actions.extend(legal.map(number));
    }

    /// The legal move with this number among the actions.
    fn legal_move(&self, action: usize) -> Option<&G::Move> {
        let place = self.actions.iter().position(|legal| usize::from(*legal) == action)?;
        self.legal.get(place)
    }

    /// The number of a move among the actions, if it is legal.
    fn action_of(&self, mv: &G::Move) -> Option<usize> {
        let place = self.legal.iter().position(|legal| legal == mv)?;
        self.actions.get(place).map(|action| usize::from(*action))
    }

    fn request_to(&self, seat: Seat) -> Request<G> {
        let terms = self.terms();
        let seen = self.events.iter().filter_map(|event| seen_by(event, seat));
        Request {
            options: self.options.clone(),
            heading: RequestHeading {
                id: terms.id,
                seat,
                number: self.number,
                time: TIME,
                bank: None,
                seed: terms.bot_seeds.seed(seat, self.number),
                retry: None,
            },
            view: self.game.view(seat),
            history: seen.map(Entry::Event).collect(),
            legal: self.legal.clone(),
            listing: self.listing,
        }
    }
}

impl<G: Learnable> Episode for TypedEpisode<G> {
    fn layout(&self) -> Layout {
        let seat = Seat::first(1).next();
        let (mut columns, mut move_columns) = (NameCollector::default(), NameCollector::default());
        if let Some(seat) = seat {
            G::observe(&self.game.view(seat), &self.memory, seat, &mut columns);
        }
        if let Some(mv) = self.legal.first() {
            G::describe(&self.game, mv, &mut move_columns);
        }
        Layout {
            version: G::VERSION,
            options: self.options.to_string(),
            seats: self.game.seats(),
            columns: columns.0,
            actions: G::actions(&self.options),
            move_columns: move_columns.0,
        }
    }

    fn to_move(&self) -> Option<Seat> {
        self.turn
    }

    fn scores(&self) -> Option<&PerSeat<Score>> {
        self.scores.as_ref()
    }

    fn legal_actions(&self) -> &[u16] {
        &self.actions
    }

    fn text(&self, action: usize) -> Option<String> {
        self.legal_move(action).map(ToString::to_string)
    }

    fn number(&self, text: &str) -> Option<usize> {
        self.action_of(&text.parse().ok()?)
    }

    fn act(&mut self, action: usize) -> Result<(), EpisodeError> {
        let mv = self
            .legal_move(action)
            .cloned()
            .ok_or_else(|| EpisodeError::not_legal(action, &self.actions))?;
        self.play(mv);
        self.answer()
    }

    fn begin(&mut self, deal: u64) -> Result<(), EpisodeError> {
        self.deal.number = deal;
        self.nature = self.deal.seed.nature(deal);
        self.game = G::new(&self.options);
        self.memory = G::memory(&self.options);
        self.events.clear();
        self.moves.clear();
        (self.remembered, self.number, self.drawn_for) = (0, 0, None);
        self.settle();
        self.sit_down()?;
        self.answer()
    }

    fn observe(&self, seat: Seat, row: &mut [i8]) {
        G::observe(&self.game.view(seat), &self.memory, seat, &mut RowWriter(row));
    }

    fn describe_moves(&self, rows: &mut RowBuffer) {
        let Some(first) = self.legal.first() else { return };
        let mut names = NameCollector::default();
        G::describe(&self.game, first, &mut names);
        let width = names.0.len();
        for mv in &self.legal {
            let at = rows.values.len();
            rows.values.resize(at + width, 0);
            G::describe(&self.game, mv, &mut RowWriter(&mut rows.values[at..]));
        }
        rows.count += self.legal.len();
    }

    fn information_state(&self, seat: Seat) -> String {
        let mut text = format!("{}\nhistory", self.game.view(seat));
        for event in self.events.iter().filter_map(|event| seen_by(event, seat)) {
            text.push_str(&format!("\n{event}"));
        }
        text
    }

    fn view(&self, seat: Seat) -> String {
        self.game.view(seat).to_string()
    }

    fn request(&self) -> Option<String> {
        self.turn.map(|seat| self.request_to(seat).to_string())
    }

    fn events(&self) -> Vec<String> {
        self.events.iter().map(ToString::to_string).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    /// A player whose move it was thinks again, and learns what it learned then. With a time limit it may find
    /// another move, which does not count.
    fn replay(&mut self, text: &str) -> Result<(), EpisodeError> {
        // The seed takes longer than a move, and only a player needs it.
        if let Some(seat) = self.turn.filter(|_| self.opponent.is_some()) {
            let seed = self.terms().bot_seeds.seed(seat, self.number);
            if let Some(Some(sitting)) = self.sitting.get_mut(seat.index()) {
                let _ = sitting.ask(&self.game, self.number, seed, &self.events);
            }
        }
        let mv: G::Move =
            text.parse().map_err(|_| EpisodeError::not_replayed(text, "is not a move"))?;
        if self.turn.is_none() {
            return Err(EpisodeError::not_replayed(text, "comes after the end"));
        }
        self.game
            .check(&mv)
            .map_err(|illegal| EpisodeError::not_replayed(text, &illegal.to_string()))?;
        self.play(mv);
        Ok(())
    }

    /// A copy in which no built-in player has a seat: a search plays all of them.
    fn copy(&self, chance: Option<&Deal>) -> Result<Box<dyn Episode>, EpisodeError> {
        let mut copy = self.alone();
        if let Some(chance) = chance {
            // The seeds of players come from it, too, so that none of them chooses as in the real game.
            copy.nature = chance.seed.nature(chance.number);
            copy.deal = chance.clone();
            // What comes no longer follows from the deal.
            copy.drawn_for = copy.drawn_for.or(self.turn).or(Seat::new(0));
        }
        Ok(Box::new(copy))
    }

    fn resample(&self, seat: Seat, chance: &Deal) -> Option<Box<dyn Episode>> {
        let seen: Vec<G::Event> =
            self.events.iter().filter_map(|event| seen_by(event, seat)).collect();
        let mut nature = chance.seed.nature(chance.number);
        let view = self.game.view(seat);
        let game = G::resample(&self.options, seat, &view, &seen, &mut nature)?;
        let (deal, drawn_for) = (chance.clone(), Some(seat));
        let mut drawn = TypedEpisode { game, nature, deal, drawn_for, ..self.alone() };
        drawn.remembered = seen.len();
        drawn.events = seen;
        // The same seat is to move. In this world the rules may leave it one move only, which the seat that
        // drew the world cannot know.
        drawn.list_moves();
        Some(Box::new(drawn))
    }

    fn ask(&self, program: &str, options: &[String]) -> Result<usize, EpisodeError> {
        let stuck = |problem: &dyn Display| EpisodeError::of_player(program, problem);
        let seat = self.turn.ok_or_else(|| stuck(&"the game is over"))?;
        if let Some(refusal) = G::refusal(program, &self.options) {
            return Err(stuck(&refusal));
        }
        let player = typed_player::<G>(program, options).map_err(|problem| stuck(&problem))?;
        let terms = self.terms();
        let mut sitting = SeatSession::new(seat, player, &self.game, &self.options, &terms);
        let seed = terms.bot_seeds.seed(seat, self.number);
        let asked = sitting.ask(&self.game, self.number, seed, &self.events);
        let mv = asked.map_err(|none| stuck(&none))?;
        self.action_of(&mv).ok_or_else(|| stuck(&format_args!("chose `{mv}`, which is not listed")))
    }

    fn record(&self, game: u64, players: &[String]) -> Result<GameRecord, String> {
        let scores = self.scores.as_ref().ok_or(NOT_OVER)?;
        if self.drawn_for.is_some() {
            return Err(NOT_OF_A_DEAL.to_owned());
        }
        let (kind, options) = (GameKind::of::<G>(), self.options.to_string());
        let moves = self.moves.iter().map(ToString::to_string).collect();
        let (deal, terms) = (&self.deal, self.terms());
        FinishedGame { kind: &kind, options: &options, deal, terms, scores, moves }
            .record(game, players)
    }
}
