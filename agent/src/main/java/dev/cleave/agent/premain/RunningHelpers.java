package dev.cleave.agent.premain;

import dev.cleave.agent.transform.CoreNames;

/** The helpers of rewritten classes, which the core lets callers of other classes ask while they run. */
final class RunningHelpers {

    private RunningHelpers() {}

    /** A class that was rewritten is about to be redefined: nobody asks its helpers before they have shown themselves again. */
    static void redefined(Class<?> type) throws ReflectiveOperationException {
        Class.forName(CoreNames.HELPER_DOOR_CLASS, true, type.getClassLoader())
                .getMethod("redefined", Class.class)
                .invoke(null, type);
    }
}
