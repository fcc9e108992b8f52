package dev.cleave.serial;

/** Turns failures of hooks and codecs of the program into ours. */
final class ProgramCode {

    private ProgramCode() {}

    /** The failure of code of the program; our own failures that pass through it remain. */
    static RuntimeException failed(String where, Throwable thrown, SerialException.Reason otherwise) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof Mismatch known
                ? known
                : new SerialException(
                        thrown instanceof SerialException known ? known.reason() : otherwise,
                        where + ": " + thrown,
                        thrown);
    }
}
