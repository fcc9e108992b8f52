package dev.cleave.agent.premain;

import dev.cleave.agent.transform.CoreNames;

/** Tells the core about helpers of rewritten classes, which callers in other classes ask at run time. */
final class RunningHelpers {

    private RunningHelpers() {}

    /**
     * Called when a rewritten class is about to be redefined: no caller asks its helpers before they have run again.
     */
    static void redefined(Class<?> type) throws ReflectiveOperationException {
        Class.forName(CoreNames.HELPER_DOOR_CLASS, true, type.getClassLoader())
                .getMethod("redefined", Class.class)
                .invoke(null, type);
    }
}
