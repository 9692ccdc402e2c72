//! Plays two players of Tablić against each other over duplicate deals: every deal twice, so that
//! each player has each seat once.
//!
//! `cargo run --release -p bots --example duplicate_deals -- 1000 "minimax --depth 2" greedy` plays
//! 1000 deals, 2000 games. Intervals are of 95%, with each deal's two games as one observation.

#[path = "../tests/in_process/mod.rs"]
mod in_process;

use std::time::Instant;

/// The mean of observations, and how far it may be off.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean and half of its interval, both times `scale`.
    fn interval(&self, scale: f64) -> String {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        let half = 1.96 * (variance / self.count).sqrt();
        format!("{:.2} ± {:.2}", mean * scale, half * scale)
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [deals, names @ ..] = &words[..] else { return usage() };
    let (Ok(deals), [one, other]) = (deals.parse::<u64>(), names) else { return usage() };
    let mut players = vec![in_process::player(one), in_process::player(other)];
    let (mut wins, mut draws, mut points) =
        (Mean::default(), Mean::default(), [0, 1].map(|_| Mean::default()));
    let start = Instant::now();
    for deal in 0..deals {
        let (mut won, mut drawn, mut gained) = (0.0, 0.0, [0.0; 2]);
        for first in 0..2 {
            let scores = in_process::play(deal, &mut players, |_| {});
            let scores = [first, 1 - first].map(|seat| scores.values()[seat].as_f64());
            won += f64::from(scores[0] > scores[1]) / 2.0;
            drawn += f64::from(scores[0] == scores[1]) / 2.0;
            for (sum, score) in gained.iter_mut().zip(scores) {
                *sum += score / 2.0;
            }
            players.reverse();
        }
        wins.add(won);
        draws.add(drawn);
        points.iter_mut().zip(gained).for_each(|(mean, points)| mean.add(points));
    }
    let rate = 2.0 * deals as f64 / start.elapsed().as_secs_f64();
    println!(
        "{one} against {other}, {deals} deals in both orders: won {}%, drawn {}%, points {} : {}, \
         {rate:.1} games a second",
        wins.interval(100.0),
        draws.interval(100.0),
        points[0].interval(1.0),
        points[1].interval(1.0)
    );
}

fn usage() {
    eprintln!("usage: duplicate_deals DEALS PLAYER PLAYER");
}
