//! Requests of games of Coup, given line by line: deals, draws, and moves.

use rules::coup::{Chance, Coup, Event, Move, Options};
use rules::{BotSeed, Entry, Game, GameId, Seat, Turn, seen_by};
use rules::{Request, RequestHeading};

/// A game, with all that has happened in it.
pub(crate) struct SampleGame {
    options: Options,
    pub(crate) game: Coup,
    /// All events, as the referee sees them.
    pub(crate) events: Vec<Event>,
}

impl SampleGame {
    /// A game before its first card.
    pub(crate) fn new() -> SampleGame {
        SampleGame::with(Options::default())
    }

    fn with(options: Options) -> SampleGame {
        SampleGame { options, game: Coup::new(&options), events: Vec::new() }
    }

    /// Lets nature do this, `deal 0 duke duke`, or the seat that is due: `tax`.
    pub(crate) fn tell(&mut self, line: &str) {
        match line.parse::<Chance>() {
            Ok(chance) => {
                self.game.happen(&chance, &mut self.events).expect("cards that can come");
            }
            Err(_) => {
                let mv: Move = line.parse().expect("a move");
                self.game.play(&mv, &mut self.events).expect("a legal move");
            }
        }
    }

    /// The request to the seat that is due.
    pub(crate) fn request(&self) -> Request<Coup> {
        let Turn::Seat(seat) = self.game.turn() else { unreachable!("a seat is due") };
        self.request_of(seat)
    }

    /// A request with the knowledge of this seat; its moves are legal only if it is due.
    pub(crate) fn request_of(&self, seat: Seat) -> Request<Coup> {
        let mut legal = Vec::new();
        let listing = self.game.legal_moves(&mut legal);
        let heading = RequestHeading {
            id: GameId([0; 16]),
            seat,
            number: self.game.decisions(),
            time: 5000,
            bank: None,
            seed: BotSeed([1; 8]),
            retry: None,
        };
        let seen = self.events.iter().filter_map(|event| seen_by(event, seat));
        let history = seen.map(Entry::Event).collect();
        Request {
            options: self.options,
            heading,
            view: self.game.view(seat),
            history,
            legal,
            listing,
        }
    }
}

/// A game after these lines, with semicolons between them.
pub(crate) fn game_after(lines: &str) -> SampleGame {
    game_after_with("", lines)
}

/// A game with these options after these lines.
pub(crate) fn game_after_with(options: &str, lines: &str) -> SampleGame {
    let mut sample = SampleGame::with(options.parse().expect("options"));
    lines.split(';').for_each(|line| sample.tell(line.trim()));
    sample
}
