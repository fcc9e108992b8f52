package dev.cleave.agent.scan;

import org.jspecify.annotations.Nullable;

/** What the application file says about methods of remote interfaces; it outweighs their annotations. */
@FunctionalInterface
public interface CallSettings {

    /** Says nothing. */
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
     * @param annotated what the annotations say
     */
    @Nullable
    CallSetting of(String interfaceName, String method, CallSetting annotated);

    /**
     * What the user says about a method of the program.
     *
     * @param owner the internal name of the class that the call names
     */
    default TrustLevel trustIn(String owner, String method) {
        return TrustLevel.NONE;
    }
}
