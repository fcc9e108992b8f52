package dev.cleave.jmh.bench;

import dev.cleave.broker.process.Launcher;
import java.util.List;

/** Where the processes run. */
enum Placement {
    /** Where the system puts them. */
    FREE {
        @Override
        Launcher place(Launcher launcher) {
            return launcher;
        }
    },
    /** All on the first core. */
    PINNED {
        @Override
        Launcher place(Launcher launcher) {
            return launcher.behind(List.of("taskset", "-c", "0"));
        }
    };

    abstract Launcher place(Launcher launcher);
}
