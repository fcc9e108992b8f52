package dev.cleave.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives each wait of a test that names no time a minute instead of Awaitility's 10 seconds: on a busy machine, what takes
 * a millisecond may take seconds. The build registers it for every test.
 */
public final class Patience implements BeforeAllCallback {

    private static final Duration TIME = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(TIME);
    }
}
