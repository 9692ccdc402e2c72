//! The live table of a tournament on terminals of every size and kind.

#![cfg(target_os = "linux")]

use std::fs;

use tests::bench::Bench;
use tests::screen::{Screen, is_wrapped, rows};
use tests::tournament::{commitment, held};
use tests::typing::Typing;

/// Asserts, sooner or later, that a table of twelve bots is drawn for just this size.
fn until_it_fits(screen: &mut Screen, (height, width): (u16, u16)) {
    let (rows_there, columns) = (usize::from(height), usize::from(width));
    screen.until(&format!("a table of {columns} columns and {rows_there} rows"), |screen| {
        let lines = rows(screen);
        let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or_default();
        let is_bot =
            |line: &&String| ["  bot-", "  long-name", "  held"].iter().any(|it| line.contains(it));
        let seen = lines.iter().filter(is_bot).count();
        let more = lines.iter().find_map(|line| line.strip_prefix("… and ")?.strip_suffix(" more"));
        let more = more.and_then(|count| count.parse().ok()).unwrap_or(0);
        let bar = lines.iter().find(|line| line.contains('░'));
        screen.alternate_screen()
            && !is_wrapped(screen)
            && lines[last].contains(" of 24 games")
            && seen + more == 12
            && lines.iter().any(|line| line.starts_with("rank") && line.contains("score"))
            // Below seven rows there is no room for it; where it is, it is as wide as all.
            && bar.map_or(rows_there < 7, |bar| bar.chars().count() == columns)
    });
}

/// All that is drawn fits into a window of any size, and nothing of it is left.
#[test]
fn the_live_table_fits_every_terminal_and_follows_its_size() {
    let bench = Bench::new();
    // One of the names is as long as a name can be.
    let names: String = (1..11).map(|number| format!("bot-{number}=random ")).collect();
    let bots = format!("--tables 12 {names}{}=random", &"long-name".repeat(4)[..32]);
    let mut screen = Screen::start(&mut held(&bench, "cup", &bots), 60, 200);
    until_it_fits(&mut screen, (60, 200));
    // After a large one a small one, which the rest of the large one would not fit.
    for size in [(24, 80), (6, 40), (50, 200), (8, 40), (24, 80), (7, 250), (40, 40), (6, 41)] {
        screen.resize(size.0, size.1);
        until_it_fits(&mut screen, size);
    }
    let colours = |screen: &vt100::Screen| screen.cell(0, 0).is_some_and(vt100::Cell::bold);
    screen.until("colours", colours);

    screen.resize(150, 200);
    fs::remove_file(bench.path("hold")).expect("it is ours");
    let (status, screen) = screen.end();
    assert!(status.success(), "{}", screen.contents());
    assert!(!screen.alternate_screen() && !screen.hide_cursor());
    let end = format!("{}\nverify: arbiter verify cup", bench.ok("tournament standings cup"));
    let lines = |text: &str| text.lines().map(|it| it.trim_end().to_owned()).collect::<Vec<_>>();
    let left = lines(&screen.contents());
    // The line above was cut when the terminal was narrow.
    let begin = format!("seed commitment: {}", commitment());
    assert!(left[0].starts_with("isolation: "), "{}", left[0]);
    assert_eq!(left[1..4], [&begin[..40], "coup seats=2 rules=contest: 12 bots, 24", ""]);
    assert_eq!(left[4..], lines(&end), "nothing else is left");
}

#[test]
fn the_live_table_has_no_colours_where_none_are_wanted() {
    let bench = Bench::new();
    let mut command = held(&bench, "cup", "a=random b=random");
    let mut screen = Screen::start(command.env("NO_COLOR", "1"), 24, 80);
    screen.until("a table", |screen| rows(screen)[0].starts_with("standings: "));
    let is_plain = |screen: &vt100::Screen, row, column| {
        screen.cell(row, column).is_none_or(|cell| {
            !cell.bold() && !cell.dim() && cell.fgcolor() == vt100::Color::Default
        })
    };
    screen.until("a table without colours", |screen| {
        (0..24).all(|row| (0..80).all(|column| is_plain(screen, row, column)))
    });
    fs::remove_file(bench.path("hold")).expect("it is ours");
    assert!(screen.end().0.success());

    // A terminal that knows no escape sequences gets none.
    let mut command = held(&bench, "dumb", "a=random");
    fs::remove_file(bench.path("hold")).expect("it is ours");
    let (status, seen) = Typing::start_on("dumb", &mut command).end();
    assert!(status.success() && !seen.contains('\x1b'), "{seen:?}");
}
