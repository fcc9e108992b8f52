package dev.cleave.agent.fuzz;

import java.io.Serial;

/** What {@link FuzzService#checked} throws. */
public final class FuzzFailure extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    FuzzFailure(String message) {
        super(message);
    }
}
