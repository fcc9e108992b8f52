package dev.cleave.agent.effect;

import dev.cleave.agent.scan.CallSetting;
import org.jspecify.annotations.Nullable;

/** Which calls are remote, and how they are to be placed. */
@FunctionalInterface
public interface RemoteCalls {

    /** The setting of a method of an interface, null for every method that is not remote. */
    @Nullable
    CallSetting settingOf(String owner, String name, String descriptor);
}
