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

/// The samples of each game, by its name.
const SAMPLES: [(&str, &[SampleText]); 3] = [("tablic", TABLIC), ("coup", COUP), ("durak", DURAK)];

/// Returns the samples of a game, the first move first.
pub(crate) fn for_game(kind: &GameKind) -> &'static [SampleText] {
    let samples = SAMPLES.iter().find(|(game, _)| *game == kind.name());
    samples.map_or(&[], |(_, samples)| samples)
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
        for kind in GameKind::ALL {
            let folder = fs::read_dir(examples.join(kind.name())).expect("samples of every game");
            let kept: BTreeSet<String> = folder
                .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
                .collect();
            let asked =
                for_game(kind).iter().map(|sample| format!("{}.txt", sample.name)).collect();
            assert_eq!(kept, asked, "{kind}");
        }
    }

    #[test]
    fn every_sample_is_a_request_of_its_game() {
        for kind in GameKind::ALL {
            for SampleText { name, text } in for_game(kind) {
                match rules::Sample::read(text) {
                    Ok(sample) => assert_eq!(sample.kind(), kind, "{name}"),
                    Err(problem) => panic!("{name}: {problem}"),
                }
            }
        }
    }
}
