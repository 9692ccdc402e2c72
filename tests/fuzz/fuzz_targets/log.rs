//! A file that is read as a log.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::log(data));
