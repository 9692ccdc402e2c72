//! Reads tournaments of Swiss stages.

use standings::Entrant;
use standings::pairing::Outcome;
use standings::pairing::swiss::{PlayedRound, PlayedTable, StageSize};

/// A tournament that is played.
pub struct Played {
    pub stage: StageSize,
    pub rounds: Vec<PlayedRound>,
    /// The ranks of all bots by their points and one tie-break, which has this name there.
    pub ranks: Vec<(String, Vec<usize>)>,
}

/// The tournaments that another implementation has paired and ranked; `SWISS_TOURNAMENTS` names
/// another file of them, which may be as long as you like.
pub fn tournaments() -> Vec<Played> {
    let text = match std::env::var_os("SWISS_TOURNAMENTS") {
        Some(path) => std::fs::read_to_string(path).expect("a file of tournaments"),
        None => include_str!("../../swiss/tournaments.txt").to_owned(),
    };
    text.lines().map(Played::read).collect()
}

impl Played {
    /// Reads a line that `tests/swiss/tournaments.py` has written.
    fn read(line: &str) -> Played {
        let mut parts = line.split('|');
        let (sizes, rounds) =
            parts.next().and_then(|part| part.split_once(':')).expect("sizes and rounds");
        let (players, count) = sizes.split_once(' ').expect("two sizes");
        let stage =
            StageSize::new(players.parse().expect("players"), count.parse().expect("rounds"));
        let rounds = rounds.split(';').map(|tables| {
            let mut round = PlayedRound::default();
            for table in tables.split(' ') {
                let (place, mark) =
                    table.char_indices().find(|(_, it)| !it.is_ascii_digit()).expect("a mark");
                let bot = |number: &str| Entrant(number.parse::<usize>().expect("a bot") - 1);
                let one = bot(&table[..place]);
                let outcome = match mark {
                    '+' => Outcome::One,
                    '=' => Outcome::Draw,
                    '-' => Outcome::Other,
                    _ => {
                        round.bye = Some(one);
                        continue;
                    }
                };
                round.tables.push(PlayedTable { one, other: bot(&table[place + 1..]), outcome });
            }
            round
        });
        let ranks = parts.map(|part| {
            let (name, ranks) = part.split_once('=').expect("a tie-break and ranks");
            let ranks = ranks.split(' ').map(|rank| rank.parse().expect("a rank"));
            (name.to_owned(), ranks.collect())
        });
        Played { stage: stage.expect("a stage"), rounds: rounds.collect(), ranks: ranks.collect() }
    }
}
