//! All that a program can do wrong, row by row, and where it is tested.

use std::fs;

use super::case::Case;

/// The folder of this package.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How many rows there are.
const COUNT: u8 = 55;

/// Where a row is tested.
pub(crate) enum Place {
    /// Here, with cases of the table.
    Table,
    /// In another module of these tests, by a test.
    Test(&'static str, &'static str),
}

use Place::{Table, Test};

/// Every row with one place or more.
pub(crate) const ROWS: &[(u8, &str, &[Place])] = &[
    (1, "a program that cannot be started", &[Table]),
    (2, "exits 0 at once, silent", &[Table]),
    (3, "exits 1 at once, silent", &[Table]),
    (4, "answers, then fails", &[Table]),
    (5, "answers before it reads", &[Table]),
    (6, "closes stdin first", &[Table]),
    (7, "never reads", &[Table]),
    (8, "sleeps past the limit", &[Table]),
    (9, "burns CPU time past the limit", &[Table]),
    (10, "trickles bytes", &[Table]),
    (11, "answers without a newline", &[Table]),
    (12, "answers and lives on", &[Table]),
    (13, "prints a part of a line and hangs", &[Table]),
    (14, "blanks and CR LF", &[Table]),
    (15, "bytes that are not text", &[Table]),
    (16, "an empty line", &[Table]),
    (17, "two answers", &[Table]),
    (18, "other letter case, cards that do not exist", &[Table]),
    (19, "illegal moves", &[Table]),
    (20, "a very long line", &[Table]),
    (21, "endless stdout", &[Table]),
    (
        22,
        "endless stderr",
        &[Table, Test("logs::file", "no_bot_takes_the_room_of_another_ones_standard_error")],
    ),
    (23, "the referee's words on stderr", &[Table]),
    (24, "closes stdout and sleeps", &[Table]),
    (25, "ignores signals", &[Table]),
    (
        26,
        "stops itself, kills its parent",
        &[
            Table,
            Test("misbehaviour::killed", "a_bot_that_kills_the_referee"),
            Test("misbehaviour::killed", "an_isolated_bot_does_not_reach_the_referee"),
        ],
    ),
    (27, "a child keeps stdout", &[Table]),
    (28, "a daemon keeps stdout", &[Table]),
    (29, "a daemon writes to the next move", &[Table]),
    (
        30,
        "fork bombs and thread bombs; gets no process from the machine",
        &[
            Table,
            Test(
                "misbehaviour::out_of_processes",
                "a_bot_within_its_limit_is_not_charged_when_a_control_group_has_no_room_for_a_process",
            ),
            Test(
                "misbehaviour::out_of_processes",
                "a_bot_within_its_limit_is_not_charged_when_its_user_has_no_room_for_a_process",
            ),
        ],
    ),
    (
        31,
        "allocates without bound",
        &[
            Table,
            Test(
                "misbehaviour::out_of_memory",
                "a_bot_within_its_limit_is_not_charged_when_a_machine_without_memory_kills_it",
            ),
            Test(
                "misbehaviour::out_of_memory",
                "a_bot_that_takes_all_memory_is_charged_above_its_limit",
            ),
        ],
    ),
    (32, "fills its scratch folder", &[Table]),
    (
        33,
        "leaves what is hard to remove",
        &[Table, Test("misbehaviour::scratch", "nothing_that_a_bot_does_to_it_voids_the_match")],
    ),
    (
        34,
        "writes to the log, to others' scratch, to its home",
        &[
            Table,
            Test("misbehaviour::spoiled", "a_bot_that_writes_to_the_log_is_found"),
            Test("misbehaviour::spoiled", "an_isolated_bot_cannot_write_to_the_log"),
        ],
    ),
    (
        35,
        "replaces or deletes its own program or its interpreter",
        &[Table, Test("misbehaviour::given_up", "a_bot_that_spoils_itself_gets_no_other_cards")],
    ),
    (
        36,
        "looks for secrets",
        &[
            Test("misbehaviour::secrets", "a_spy_finds_nothing_under_linux"),
            Test("misbehaviour::hostile", "attacks_of_an_isolated_bot"),
            Test("misbehaviour::hostile", "isolated_bots_do_not_talk_or_remember"),
            Test("handing_in::paths", "no_answer_tells_which_files_the_server_has"),
            Test("handing_in::paths", "reports_and_answers_have_no_folder_of_the_server"),
        ],
    ),
    (
        37,
        "opens network connections",
        &[Test("misbehaviour::hostile", "attacks_of_an_isolated_bot")],
    ),
    (38, "reads the terminal", &[Table, Test("misbehaviour::terminal", "a_bot_has_no_terminal")]),
    (39, "waits for more input", &[Table]),
    (40, "starts slowly", &[Table]),
    (
        41,
        "fails on one move, on one seat",
        &[Table, Test("misbehaviour::forfeits", "the_house_plays_for_seats_that_are_out")],
    ),
    (
        42,
        "fails in every second game",
        &[
            Test("misbehaviour::endurance", "a_quarter_of_the_games_is_a_fault"),
            Test("tournaments::whole", "a_bot_that_faults_too_often_is_out_and_the_others_go_on"),
        ],
    ),
    (43, "odd names", &[Test("commands::usage", "odd_names_are_refused")]),
    (
        44,
        "the system clock steps",
        &[Test("misbehaviour::wall_clock", "no_source_reads_the_wall_clock")],
    ),
    (45, "is killed by somebody else", &[Table]),
    (
        46,
        "no process can be started",
        &[
            Test("misbehaviour::machine", "a_machine_that_has_run_out_costs_no_bot_a_game"),
            Test("misbehaviour::given_up", "a_machine_that_has_run_out_stops_a_tournament"),
        ],
    ),
    (
        47,
        "the disk is full",
        &[
            Test("logs::file", "no_game_counts_that_is_not_in_the_log"),
            Test("misbehaviour::machine", "a_full_disk_stops_the_match"),
        ],
    ),
    (
        48,
        "the referee is killed",
        &[
            Test("misbehaviour::killed", "a_referee_that_is_killed_leaves_a_log"),
            Test("tournaments::stopped", "killed_at_random_moments_it_ends_as_if_it_had_not_been"),
            Test(
                "tournaments::stopped",
                "a_log_cut_off_anywhere_in_its_last_lines_is_gone_on_with",
            ),
        ],
    ),
    (
        49,
        "Ctrl-C",
        &[
            Test("misbehaviour::terminal", "ctrl_c_ends_everything"),
            Test("commands::stopped", "ctrl_c_shows_what_was_played"),
            Test("commands::stopped", "a_second_ctrl_c_ends_a_match_at_once"),
            Test("tournaments::stopped", "after_one_ctrl_c_nothing_is_lost"),
            Test("tournaments::stopped", "one_ctrl_c_lets_games_end_and_two_end_everything"),
        ],
    ),
    (
        50,
        "the same again",
        &[
            Test("games::matches", "a_seed_gives_a_match"),
            Test("tournaments::whole", "the_same_games_with_any_number_of_workers"),
        ],
    ),
    (51, "an edited log", &[Test("logs::forgery", "forged_derived_values_are_found")]),
    (
        52,
        "more matches than cores",
        &[Test("alone::overload", "a_bot_that_is_late_on_a_busy_machine_is_suspect")],
    ),
    (
        53,
        "stops the referee for a while",
        &[
            Test(
                "misbehaviour::referee_stopped",
                "a_bot_gets_no_more_time_by_stopping_the_referee",
            ),
            Test(
                "misbehaviour::referee_stopped",
                "an_answer_that_a_stopped_referee_sees_late_is_void",
            ),
            Test("misbehaviour::referee_stopped", "no_bot_is_late_because_the_referee_was_stopped"),
            Test(
                "misbehaviour::given_up",
                "a_bot_that_makes_games_void_is_out_and_the_rest_is_played",
            ),
        ],
    ),
    (
        54,
        "has the kernel compute between its turns",
        &[Test("bots::resident", "one_that_computes_while_it_is_stopped_is_out")],
    ),
    (
        55,
        "holds a lease on a file of its opponent",
        &[Test("alone::leases", "a_lease_of_another_program_charges_no_bot")],
    ),
];

/// The folders of test programs: those of the first tier, and the others.
const FIRST: [&str; 2] = ["tests/it", "tests"];
const OTHERS: [&str; 2] = ["tests/full", "tests/machine"];

/// Every row is there, in order, with every place that it names, and one of them is in the first tier of tests.
pub fn check(cases: &[Case]) {
    let numbers: Vec<u8> = ROWS.iter().map(|(row, ..)| *row).collect();
    assert_eq!(numbers, (1..=COUNT).collect::<Vec<u8>>(), "each row once, in order");
    for (row, _, places) in ROWS {
        let in_table = cases.iter().any(|case| case.row == *row);
        let says_so = places.iter().any(|place| matches!(place, Table));
        assert_eq!(in_table, says_so, "cases of row {row} in the table");
        // The first tier plays the whole table.
        let mut is_in_first = in_table;
        for place in *places {
            if let Test(module, test) = place {
                let is_first = FIRST.iter().any(|folder| has(folder, module, test));
                let is_other = OTHERS.iter().any(|folder| has(folder, module, test));
                assert!(is_first || is_other, "row {row}: no {test} in {module}");
                is_in_first |= is_first;
            }
        }
        assert!(is_in_first, "row {row} has no test in the first tier");
    }
}

/// Returns true if a module of a test program has this test.
fn has(folder: &str, module: &str, test: &str) -> bool {
    let path = format!("{ROOT}/{folder}/{}.rs", module.replace("::", "/"));
    fs::read_to_string(path).is_ok_and(|source| source.contains(&format!("fn {test}(")))
}

/// The list in Markdown.
pub(crate) fn markdown() -> String {
    let mut list = "| row | the bot or the machine | tested |\n| --- | --- | --- |\n".to_owned();
    for (row, what, places) in ROWS {
        let place = |place: &Place| match place {
            Table => "below".to_owned(),
            Test(module, test) => format!("`{module}::{test}`"),
        };
        let places: Vec<String> = places.iter().map(place).collect();
        list.push_str(&format!("| {row} | {what} | {} |\n", places.join("; ")));
    }
    list
}
