"""StableHLO and CHLO as xDSL dialects, and the one door through which IR is written (`emit`, `infix`)."""
