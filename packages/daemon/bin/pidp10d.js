#!/usr/bin/env node
import '../bundle/pidp10d.mjs';
