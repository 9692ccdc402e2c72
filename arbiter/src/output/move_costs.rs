//! What the moves of a bot cost in a match, said after the first game if the others will take long.

use std::time::Duration;

use bot::Contender;
use bot::manifest::{MANIFEST, Mode};
use contest::playing::Player;
use contest::playing::bot::Bot;
use rules::{Dialect, GameRecord};
use sandbox::Supervisor;
use text::printable;

/// The least time of a bot's moves in the remaining games that is worth a line.
const LONG: Duration = Duration::from_secs(30);

/// The bots of a match, to measure the start of one.
#[derive(Debug)]
pub(crate) struct MoveCosts {
    contenders: Vec<Contender>,
    supervisor: Supervisor,
}

impl MoveCosts {
    pub(crate) fn new(contenders: &[Contender], supervisor: Supervisor) -> MoveCosts {
        MoveCosts { contenders: contenders.to_vec(), supervisor }
    }

    /// A line about the bot whose moves took longest in a game, if they will take long in this many others: the time
    /// of a move, whether the start of the program or its thinking is most of it, and what would make it faster.
    pub(crate) fn line(&self, game: &GameRecord, others: u64) -> Option<String> {
        let with_cost = |contender| (contender, MoveTime::in_game(contender, game));
        let costs = self.contenders.iter().map(with_cost);
        let (contender, moves) = costs.max_by(|(_, one), (_, two)| one.all.total_cmp(&two.all))?;
        let is_long = moves.all * others as f64 >= LONG.as_secs_f64();
        is_long.then(|| in_words(contender, moves, self.start(contender)))
    }

    /// The time of a start without a request, in seconds, for a program that starts for each move.
    fn start(&self, contender: &Contender) -> Option<f64> {
        if contender.mode != Mode::PerMove || contender.dialect != Dialect::Native {
            return None;
        }
        let mut bot = Bot::new(contender, self.supervisor);
        bot.new_game().ok()?;
        let ms = bot.start_without_request();
        // A folder that is left behind by this start is like one of the match, which says so.
        drop(bot.close());
        ms.map(|ms| ms / 1000.0)
    }
}

/// The time of the moves of a bot in a game.
#[derive(Debug, Clone, Copy)]
struct MoveTime {
    /// That of all, in seconds.
    all: f64,
    count: u32,
}

impl MoveTime {
    fn in_game(contender: &Contender, game: &GameRecord) -> MoveTime {
        let is_own = |name: Option<&String>| name.is_some_and(|name| *name == contender.name);
        let answers = game.answers().filter(|(it, _)| is_own(game.seats.get(it.seat.index())));
        answers.fold(MoveTime { all: 0.0, count: 0 }, |moves, (_, measured)| MoveTime {
            all: moves.all + measured.ms / 1000.0,
            count: moves.count + 1,
        })
    }

    /// The mean time of one, in seconds.
    fn each(self) -> f64 {
        self.all / f64::from(self.count.max(1))
    }
}

/// `start` is the time of a start, in seconds, where a program starts for each move and it is known.
fn in_words(contender: &Contender, moves: MoveTime, start: Option<f64>) -> String {
    let (name, each) = (printable(&contender.name), seconds(moves.each()));
    let cost = format!("note: a move of {name} takes {each}");
    match start {
        Some(start) if start > moves.each() / 2.0 => {
            let remedy = match &contender.sight.folder {
                Some(_) => format!("mode = \"resident\" in its {MANIFEST}"),
                None => "resident: before its command".to_owned(),
            };
            format!(
                "{cost}, most of it to start the program; with {remedy} it starts once per game"
            )
        }
        Some(_) => format!("{cost}, most of it to think; let it think less, or play fewer --games"),
        None if contender.mode == Mode::Resident => {
            format!("{cost}, all of it to think; let it think less, or play fewer --games")
        }
        // It does not end without a request, so its start could not be measured.
        None => format!("{cost}, with the start of its program; `arbiter check` shows more"),
    }
}

/// A time for people, of this many seconds.
fn seconds(time: f64) -> String {
    match time {
        1.0.. => format!("{time:.1} s"),
        _ => format!("{:.0} ms", 1000.0 * time),
    }
}
