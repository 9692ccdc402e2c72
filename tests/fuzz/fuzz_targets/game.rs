//! Answers of every kind, through whole games.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::game(data));
