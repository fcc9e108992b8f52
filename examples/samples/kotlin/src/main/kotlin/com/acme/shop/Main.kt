package com.acme.shop

import dev.cleave.node.Node

/** `warehouse` serves, `shop` calls; the second word is the broker. */
fun main(words: Array<String>) {
    Node.connect(words[1]).use { node ->
        if (words[0] == "warehouse") {
            node.bind("inventory", Inventory::class.java, Warehouse())
            node.await()
        } else {
            Shop(node.lookup("inventory", Inventory::class.java)).report(100).forEach(::println)
        }
    }
}
