package dev.cleave.server;

import dev.cleave.call.FrameRoom;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import java.util.Arrays;

/** Measures how long the calls of each method of a served interface take, and how many bytes its replies have. */
final class Paces {

    private final Pace[] ofMethods; // by index
    private final FrameRoom replies;

    /** Measures the calls of an interface. */
    Paces(RemoteInterface contract) {
        int most = -1;
        for (RemoteMethod method : contract.methods()) {
            most = Math.max(most, method.index());
        }
        ofMethods = new Pace[most + 1];
        Arrays.setAll(ofMethods, index -> new Pace());
        replies = new FrameRoom(ofMethods.length);
    }

    /** Returns what allocates the buffers of replies. */
    FrameRoom replies() {
        return replies;
    }

    /** Returns the times of a method. */
    Pace of(RemoteMethod method) {
        return ofMethods[method.index()];
    }
}
