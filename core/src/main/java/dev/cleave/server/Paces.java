package dev.cleave.server;

import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import java.util.stream.Stream;

/** Measures how long the calls of each method of a served interface take. */
final class Paces {

    private final Pace[] ofMethods; // by index

    /** Measures the calls of an interface. */
    Paces(RemoteInterface contract) {
        int most = contract.methods().stream().mapToInt(RemoteMethod::index).max().orElse(-1);
        ofMethods = Stream.generate(Pace::new).limit(most + 1).toArray(Pace[]::new);
    }

    /** Returns the times of a method. */
    Pace of(RemoteMethod method) {
        return ofMethods[method.index()];
    }
}
