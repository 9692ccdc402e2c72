//! The requests of every check: the files of `examples/requests`, compiled in.

use rules::GameKind;

/// A request; its name says what is special about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SampleText {
    /// Name of its file, without the ending.
    pub name: &'static str,
    /// The whole request.
    pub text: &'static str,
}

macro_rules! samples {
    ($game:literal: $($name:literal),* $(,)?) => {
        &[$(SampleText {
            name: $name,
            text: include_str!(
                concat!("../../../../examples/requests/", $game, "/", $name, ".txt")
            ),
        }),*]
    };
}

const TABLIC: &[SampleText] = samples!(
    "tablic":
    "first-move",
    "late-move",
    "last-move",
    "empty-table",
    "lay-down",
    "capture-one",
    "capture-sum",
    "capture-groups",
    "ace-as-1",
    "ace-as-11",
    "ace-captures",
    "10-of-diamonds",
    "2-of-clubs",
    "tabla",
    "cut-list",
    "3-seats-seat-0",
    "3-seats-seat-1",
    "3-seats-seat-2",
    "4-seats",
    "48-seats",
    "longest-history",
    "seat-out",
);

const COUP: &[SampleText] = samples!(
    "coup":
    "first-move",
    "second-seat",
    "assassinate",
    "coup",
    "foreign-aid",
    "tax",
    "exchange",
    "stolen-from",
    "assassinated",
    "blocked-aid",
    "blocked-steal",
    "blocked-assassin",
    "lie-found-out",
    "lose-a-card",
    "keep-two",
    "keep-one",
    "one-card-left",
    "longest-history",
);

const COURT: &[SampleText] = samples!(
    "coup-court":
    "first-move",
    "tax",
    "exchange",
    "foreign-aid",
    "target-of-assassin",
    "target-of-steal",
    "steal-from-another",
    "own-block",
    "block-of-another",
    "proven-assassin",
    "proven-steal",
    "lie-found-out",
    "lose-a-card",
    "keep-two",
    "seats-gone",
    "6-seats",
    "longest-history",
);

const DURAK: &[SampleText] = samples!(
    "durak":
    "first-move",
    "second-seat",
    "defend",
    "must-take",
    "throw",
    "throw-on-take",
    "beat-trump",
    "cards-taken-up",
    "last-of-the-talon",
    "empty-talon",
    "last-card",
    "transfer",
    "two-attacks",
    "3-seats-a-seat-gone",
    "4-seats-24-cards",
    "5-seats-32-cards",
    "6-seats-36-cards",
    "6-seats-52-cards",
    "seat-out",
    "longest-history",
);

struct Samples {
    /// The name of the game.
    game: &'static str,
    /// The word that must be among its options; none where they do not matter.
    option: &'static str,
    samples: &'static [SampleText],
}

/// All samples; of a game, those for an option before those for all others.
const SAMPLES: [Samples; 4] = [
    Samples { game: "tablic", option: "", samples: TABLIC },
    Samples { game: "coup", option: "rules=court", samples: COURT },
    Samples { game: "coup", option: "", samples: COUP },
    Samples { game: "durak", option: "", samples: DURAK },
];

/// Returns the samples of a game with these options, the first move first.
pub(crate) fn for_game(kind: &GameKind, options: &str) -> &'static [SampleText] {
    let has_option =
        |it: &&Samples| it.option.is_empty() || options.split(' ').any(|word| word == it.option);
    let samples = SAMPLES.iter().filter(|it| it.game == kind.name()).find(has_option);
    samples.map_or(&[], |it| it.samples)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_kept_sample_is_asked() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests");
        for Samples { game, option, samples } in SAMPLES {
            let folder = match option.split_once('=') {
                Some((_, variant)) => format!("{game}-{variant}"),
                None => game.to_owned(),
            };
            let files = fs::read_dir(examples.join(&folder)).expect("samples of every game");
            let kept: BTreeSet<String> = files
                .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
                .collect();
            let asked = samples.iter().map(|sample| format!("{}.txt", sample.name)).collect();
            assert_eq!(kept, asked, "{folder}");
        }
    }

    #[test]
    fn every_sample_is_a_request_of_its_game() {
        for kind in GameKind::ALL {
            assert!(!for_game(kind, "").is_empty(), "{kind}");
        }
        for Samples { game, option, samples, .. } in SAMPLES {
            for SampleText { name, text } in samples {
                match rules::Sample::read(text) {
                    Ok(sample) => assert_eq!(sample.kind().name(), game, "{name}"),
                    Err(problem) => panic!("{name}: {problem}"),
                }
                let options = text.lines().nth(1).unwrap_or_default();
                assert!(options.contains(option), "{name}");
            }
        }
    }

    #[test]
    fn a_court_has_samples_of_its_own() {
        let coup: GameKind = "coup".parse().expect("a game");
        let first = |options| for_game(&coup, options)[0].text.lines().nth(1);
        assert_eq!(first("seats=2 rules=contest"), Some("game coup seats=2 rules=contest"));
        assert_eq!(first("seats=5 rules=court"), Some("game coup seats=3 rules=court"));
    }
}
