package dev.cleave.agent.scan;

import org.jspecify.annotations.Nullable;

/** The settings of the application file for methods of remote interfaces; they override annotations. */
@FunctionalInterface
public interface CallSettings {

    /** Sets nothing. */
    CallSettings NONE = new CallSettings() {
        @Override
        public @Nullable CallSetting of(String interfaceName, String method, CallSetting annotated) {
            return null;
        }
    };

    /**
     * The setting of a method, or null to leave it as annotated.
     *
     * @param interfaceName the binary name of the interface that the program calls
     * @param method the name of the method
     * @param annotated the setting by the annotations
     */
    @Nullable
    CallSetting of(String interfaceName, String method, CallSetting annotated);

    /**
     * Whether the application file vouches for a method of the program.
     *
     * @param owner the internal name of the class that the call names
     */
    default TrustLevel trustIn(String owner, String method) {
        return TrustLevel.NONE;
    }
}
