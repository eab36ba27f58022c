"""hhlo-xdsl: StableHLO programs as xDSL IR, differentiated by a pass, run on any PJRT device."""
