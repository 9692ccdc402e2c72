//! An estimate of the time of a tournament, before it begins.

use std::time::Duration;

use text::{counted, printable};

use contest::tournament::plan::Estimate;

/// The most bots that are named.
const NAMED: usize = 3;

/// Words an estimate; `how` says under what it holds.
pub(crate) fn sentence(Estimate { time, unchecked }: &Estimate, how: &str) -> String {
    let time = rounded(*time);
    match unchecked.as_slice() {
        [] => format!("about {time} {how}"),
        few if few.len() <= NAMED => {
            let names: Vec<String> = few.iter().map(|name| printable(name)).collect();
            format!("at least {time} {how}, excluding {}", names.join(", "))
        }
        many => {
            let bots = counted(many.len(), "bot", "bots");
            format!("at least {time} {how}, excluding {bots}")
        }
    }
}

/// A time in the two largest units that matter for a person who waits.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    let (minutes, hours) = (seconds.div_ceil(60), seconds.div_ceil(3600));
    match seconds {
        0..120 => format!("{} s", seconds.max(1)),
        120..=3540 => format!("{minutes} min"),
        3541..172_800 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", hours / 24, hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_units_that_matter() {
        for (seconds, text) in [
            (0, "1 s"),
            (119, "119 s"),
            (121, "3 min"),
            (3541, "1 h 0 min"),
            (6000, "1 h 40 min"),
            (172_000, "47 h 47 min"),
            (180_000, "2 d 2 h"),
        ] {
            assert_eq!(rounded(Duration::from_secs(seconds)), text, "{seconds}");
        }
    }
}
