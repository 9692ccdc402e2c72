//! The styles and scripts of a report, which are part of the program.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use maud::{Markup, PreEscaped};
use rules::Game as _;
use rules::coup::Coup;

const FILES: [(&str, &str); 22] = [
    ("style.css", include_str!("assets/style.css")),
    ("art.css", include_str!("assets/art.css")),
    ("felt.css", include_str!("assets/felt.css")),
    ("viewer.css", include_str!("assets/viewer.css")),
    ("report.css", include_str!("assets/report.css")),
    ("stages.css", include_str!("assets/stages.css")),
    ("ceremony.css", include_str!("assets/ceremony.css")),
    ("ceremony.js", include_str!("assets/ceremony.js")),
    ("edges.js", include_str!("assets/edges.js")),
    ("contest.js", include_str!("assets/contest.js")),
    ("report.js", include_str!("assets/report.js")),
    ("games.js", include_str!("assets/games.js")),
    ("view.js", include_str!("assets/view.js")),
    ("cards.js", include_str!("assets/cards.js")),
    ("felt.js", include_str!("assets/felt.js")),
    ("motion.js", include_str!("assets/motion.js")),
    ("steps.js", include_str!("assets/steps.js")),
    ("answer.js", include_str!("assets/answer.js")),
    ("graph.js", include_str!("assets/graph.js")),
    ("notes.js", include_str!("assets/notes.js")),
    ("own.js", include_str!("assets/own.js")),
    ("viewer.js", include_str!("assets/viewer.js")),
];

/// The script that draws each game; one that is not here is drawn by `own.js`.
const GAMES: [(&str, &str); 3] = [
    ("tablic", include_str!("assets/tablic.js")),
    ("coup", include_str!("assets/coup.js")),
    ("durak", include_str!("assets/durak.js")),
];

/// The drawings that cards are put together from.
const ART: &str = include_str!("assets/art.svg");

/// The drawings of the cards of a game, which stand in each page that shows some: a page opened from disk cannot refer to
/// those of another file. Coup has cards of its own, and all other games the usual pack.
pub fn art(game: &str) -> Markup {
    const SYMBOL: &str = "<symbol id=\"";
    let is_drawn = |name: &str| match name.split('-').next() {
        Some("crest" | "role") => game == Coup::NAME,
        Some("suit" | "rank" | "court") => game != Coup::NAME,
        _ => true,
    };
    let mut symbols = ART.split(SYMBOL);
    let mut drawn = symbols.next().unwrap_or_default().to_owned();
    for symbol in symbols {
        let (symbol, end) =
            symbol.split_once("</svg>").map_or((symbol, ""), |(it, _)| (it, "</svg>"));
        if is_drawn(symbol.split('"').next().unwrap_or_default()) {
            drawn.push_str(SYMBOL);
            drawn.push_str(symbol);
        }
        drawn.push_str(end);
    }
    PreEscaped(drawn.lines().map(str::trim_start).collect())
}

pub fn drawing(game: &str) -> String {
    let own = GAMES.iter().find(|(name, _)| *name == game).map(|(name, _)| format!("{name}.js"));
    own.unwrap_or_else(|| "own.js".to_owned())
}

/// All files by their names, as they are sent.
static SENT: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let files = FILES.iter().map(|(name, text)| ((*name).to_owned(), *text));
    let games = GAMES.iter().map(|(game, text)| (format!("{game}.js"), *text));
    files.chain(games).map(|(name, text)| (name.clone(), light(&name, text))).collect()
});

/// A file as it is sent: a script or a style without what is for people alone.
pub fn light(name: &str, text: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, "js")) => light_script(text),
        Some((_, "css")) => light_style(text),
        _ => text.to_owned(),
    }
}

/// A script without its comments and indentation, which are a fifth of it. No text in a script goes over several lines.
fn light_script(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A style without its comments, and without spaces that are for people alone. A text in quotes stays as it is.
fn light_style(style: &str) -> String {
    let mut parts = style.split("/*");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| bare.push_str(part.split_once("*/").map_or("", |(_, rest)| rest)));
    let lines = bare.lines().map(str::trim).filter(|line| !line.is_empty());
    let bare: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut light = String::with_capacity(bare.len());
    for (place, part) in bare.split('"').enumerate() {
        if place > 0 {
            light.push('"');
        }
        if place % 2 == 1 {
            light.push_str(part);
            continue;
        }
        let spaced = [
            ("; }", "}"),
            (" { ", "{"),
            (" {", "{"),
            ("; ", ";"),
            (" }", "}"),
            (": ", ":"),
            (", ", ","),
        ];
        let part = spaced
            .iter()
            .fold(part.to_owned(), |part, (with, without)| part.replace(with, without));
        light.push_str(&part);
    }
    light
}

/// Returns the text of a style or script by its name.
pub fn find(name: &str) -> Option<&'static str> {
    SENT.get(name).map(String::as_str)
}

/// Writes all files below the root of a report.
pub(super) fn write(root: &Path) -> io::Result<()> {
    let folder = root.join("assets");
    fs::create_dir_all(&folder)?;
    for (name, text) in SENT.iter() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_sent_without_comments_and_indentation() {
        let source = "// Why.\n\"use strict\";\n\n  // More.\n  run(`a //b`);\n";
        assert_eq!(light_script(source), "\"use strict\";\nrun(`a //b`);\n");
        let all = FILES.iter().chain(&GAMES).filter(|(name, _)| !name.ends_with(".css"));
        for line in all.flat_map(|(_, text)| text.lines()) {
            assert!(line.matches('`').count() % 2 == 0, "a text over several lines: {line}");
        }
        assert!(find("coup.js").is_some_and(|it| it.contains("arbiter.drawings.coup")));
    }

    #[test]
    fn styles_are_sent_without_comments_and_spaces() {
        let source =
            "/* Why. */\n.a :hover, .b { color: red; }\n.c { content: \"; {\"; } /* More. */\n";
        assert_eq!(light_style(source), ".a :hover,.b{color:red}\n.c{content:\"; {\"}\n");
        for (name, text) in FILES.iter().filter(|(name, _)| name.ends_with(".css")) {
            let sent = find(name).expect("it is a file");
            assert!(sent.len() < text.len() && !sent.contains("/*"), "{name}");
            assert_eq!(sent.matches(['{', '}']).count(), bare_braces(text), "{name}");
        }
    }

    /// The number of braces outside of comments.
    fn bare_braces(style: &str) -> usize {
        let parts = style.split("/*").enumerate();
        let bare = parts.map(|(place, part)| match place {
            0 => part,
            _ => part.split_once("*/").map_or("", |(_, rest)| rest),
        });
        bare.map(|part| part.matches(['{', '}']).count()).sum()
    }

    #[test]
    fn a_page_has_the_drawings_of_its_game_alone() {
        for (game, own, others) in [
            ("coup", "crest-duke", "court-K"),
            ("tablic", "court-K", "crest-duke"),
            ("hearts", "suit-S", "role"),
        ] {
            let art = art(game).into_string();
            let has = |name: &str| art.contains(&format!("<symbol id=\"{name}\""));
            assert!(has(own) && has("back") && !has(others), "{game}: {art}");
            assert_eq!(art.matches("<symbol").count(), art.matches("</symbol>").count(), "{art}");
            assert!(art.starts_with("<svg") && art.ends_with("</svg>"), "{art}");
        }
    }
}
